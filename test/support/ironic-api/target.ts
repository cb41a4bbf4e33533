import type { ApiClient } from './client.js';

/** A machine with a Redfish controller and an agent that answers, of which no other conversation knows. */
export interface Machine {
  readonly address: string;
  readonly system: string;
  readonly username: string;
  readonly password: string;
  readonly macs: readonly [string, string];
  /** Its agent is never heard of, so that Ironic waits for it. */
  silenceAgent(): Promise<void>;
}

/** An Ironic that the conversations are held with. */
export interface IronicTarget {
  readonly client: ApiClient;
  /** Name of its conductor. */
  readonly conductor: string;
  /** Whether each state that a node passes can be seen; a real one is asked too seldom for the shortest. */
  readonly showsEveryState: boolean;
  /** A disk image that its machines can be given. */
  readonly image: { readonly source: string; readonly sha256: string };
  /** Lets a moment pass, of some tenths of a second at most, in which nodes go on. */
  pass(): Promise<void>;
  /** The answer to a request that is answered only after a while. */
  during<T>(answer: Promise<T>): Promise<T>;
  /** Milliseconds since some moment, as the server's time passes. */
  elapsed(): number;
  machine(): Machine;
  /** A machine whose controller takes requests and does not answer, until it is released. */
  silentMachine(): Promise<{ machine: Machine; release: () => Promise<void> }>;
  stop(): Promise<void>;
}

export type StartTarget = () => Promise<IronicTarget>;
