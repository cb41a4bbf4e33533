/** The API server that an object bench stands on: an embedded one, unless a test says otherwise before its first bench. */
import { customResourceDefinitions } from '../../src/apis/index.js';
import type { Clock } from '../../src/clock.js';
import { EmbeddedKubeServer, type FaultRequest } from '../../src/embedded/kube/index.js';

export type BenchFault = (request: FaultRequest) => { status: number } | undefined;

/** A server with nothing in it. */
export interface BenchServer {
  readonly kubeconfig: string;
  /** Lets a second go by on the server's own clock; undefined: it has none. */
  passSecond?(): Promise<void>;
  stop(): Promise<void>;
}

export interface BenchPlace {
  /** The time at which a bench on this server begins, milliseconds since 1970; undefined: any. */
  readonly epoch: number | undefined;
  start(clock: Clock, fault: BenchFault): Promise<BenchServer>;
}

const embedded: BenchPlace = {
  epoch: undefined,
  async start(clock, fault) {
    const server = new EmbeddedKubeServer({ crds: customResourceDefinitions() as never, clock, fault });
    await server.start();
    return { kubeconfig: server.kubeconfig(), stop: () => server.stop() };
  },
};

let place = embedded;

export function benchPlace(): BenchPlace {
  return place;
}

export function useBenchPlace(other: BenchPlace): void {
  place = other;
}
