/**
 * What the host chart knows during one pass: the facts gathered before it (`Observed`), the status that it is going to leave
 * behind (`Draft`), and the answers of its actors (outcomes). All of it is data; the services that actors need travel beside
 * it and never reach a snapshot.
 */
import type {
  BareMetalHost,
  BareMetalHostStatus,
  CredentialsStatus,
  HardwareDetails,
  PreprovisioningImage,
  RAIDConfig,
  RootDeviceHints,
} from '../src/apis/index.js';
import type { DataImageObserved } from './data-image.outcomes.js';
import type { FirmwareObjects } from './host.firmware.js';

/** Whether this pass may enter, or stay in, a state that keeps the back end busy. */
export type Slot =
  | { readonly kind: 'notNeeded' }
  | { readonly kind: 'granted' }
  | { readonly kind: 'waiting'; readonly rank: number; readonly limit: number };

/** The hardware profile in effect and the root device hints that come with it; `hints` is undefined for an unknown name. */
export interface Profile {
  readonly name: string;
  readonly hints: RootDeviceHints | undefined;
}

/** Everything a pass may look at, read before the chart starts. */
export interface Observed {
  readonly host: BareMetalHost;
  /** False when the credentials could not be used and the host is being deleted: registration is skipped then. */
  readonly haveCredentials: boolean;
  /** Which Secret, at which resourceVersion, the credentials of this pass come from. */
  readonly credentials: CredentialsStatus;
  readonly profile: Profile;
  readonly slot: Slot;
  /** Of the host's CPU: what the host says, else what inspection found, else the operator's own. */
  readonly architecture: string;
  readonly firmware: FirmwareObjects;
  /** The image of the same name that is to be in the host's virtual drive. */
  readonly dataImage: DataImageObserved | undefined;
  /** The agent image that is built for the host. */
  readonly preprovisioningImage: PreprovisioningImage | undefined;
  /** By field of the spec that takes the machine out of use: who changed it last and when, in words, where that was seen. */
  readonly changedBy?: { readonly image?: string; readonly customDeploy?: string; readonly online?: string };
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** 0: unlimited. */
  readonly maxProvisioningRetries: number;
}

/**
 * How a pass ended (host-lifecycle spec §0.5). `continue` leaves the status unsaved, the others save it, except
 * `deleteComplete`: there is nothing left to save. `isSilent`: nothing was refused, nobody has answered. `isFinal`:
 * nothing is tried again before something was changed. `waitsFor`: what the pass waits for, in words; news of it are saved too.
 * `isTrouble`: only a person can end that wait, so the conditions tell it as well.
 */
export type PassResult =
  | ({ readonly kind: 'continue' } & Pause)
  | ({ readonly kind: 'update' } & Pause)
  | { readonly kind: 'complete' }
  | { readonly kind: 'delayed' }
  | { readonly kind: 'failed'; readonly isSilent?: boolean; readonly isFinal?: true }
  | { readonly kind: 'retry'; readonly message: string }
  | { readonly kind: 'deleteComplete' };

interface Pause {
  readonly afterMs: number;
  readonly waitsFor?: string;
  readonly isTrouble?: true;
}

export interface EventDraft {
  readonly reason: string;
  readonly message: string;
}

/** One increment of a counter or one observation of a histogram (with `value`), made when the status is saved, or at once. */
export interface Measurement {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value?: number;
  readonly when: 'now' | 'saved';
}

export interface Draft {
  readonly status: BareMetalHostStatus;
  /** Undefined while the pass goes on. */
  readonly result: PassResult | undefined;
  readonly events: readonly EventDraft[];
  readonly measurements: readonly Measurement[];
}

/** The answer of one operation: see `OperationResult` of the provisioner contract. */
export type Outcome =
  | { readonly kind: 'complete' }
  | {
      readonly kind: 'inProgress';
      readonly requeueAfterMs: number;
      readonly isDeferred?: boolean;
      readonly waitsFor?: string;
    }
  | { readonly kind: 'failed'; readonly message: string; readonly isSilent?: boolean };

/** `needsImage`: it cannot go on before the agent image of the host is built, which may meet a trouble. */
export type RegistrationOutcome = (Outcome | { readonly kind: 'needsImage'; readonly trouble?: string }) & {
  readonly provisionerID: string;
  /** The back end has not begun to manage this node: nothing of what was done to an earlier one is known to it. */
  readonly isNew?: boolean;
  /** When the back end made the node, by its own clock: another time at the same ID is another node. */
  readonly createdAt?: string;
};
/** `contradiction`: why the host cannot be what its status says it is, in words; absent: it may well be. */
export interface PowerObservation {
  readonly poweredOn: boolean | undefined;
  readonly contradiction?: string;
}
export type InspectionOutcome = Outcome & { readonly started: boolean; readonly details: HardwareDetails | undefined };
export type PreparationOutcome = Outcome & { readonly started: boolean };
export type ServicingOutcome = PreparationOutcome;
/** `begun`: by an earlier pass, and by its image, "" without one; absent: this pass did, or it is not known. */
export type ProvisioningOutcome = Outcome & { readonly begun?: { readonly imageURL: string } };

/** An agent image that can be booted. */
export interface AgentImage {
  readonly format: 'iso' | 'initrd';
  readonly imageURL: string;
  readonly kernelURL: string;
  readonly extraKernelParams: string;
}

/**
 * `unused`: the back end takes no image of the host's own. `absent`: it is not there yet, perhaps because of a trouble that its
 * builder tells. `broken`: it cannot be built.
 */
export type ImageOutcome =
  | { readonly kind: 'unused' }
  | { readonly kind: 'absent'; readonly trouble?: string }
  | { readonly kind: 'ready'; readonly image: AgentImage }
  | { readonly kind: 'broken'; readonly message: string };
/** `unreachable`: the node is gone and there are no credentials to register it again. */
export type RemovalOutcome = Outcome | { readonly kind: 'unreachable' };

/** Root device hints and RAID as the host should have them before it is provisioned. */
export interface ProvisioningSettings {
  readonly rootDeviceHints: RootDeviceHints | undefined;
  readonly raid: RAIDConfig | undefined;
}

/** What survives a pass in the snapshot: the last step that ran, for people; nothing is decided upon it. */
export interface Memory {
  readonly step: string | null;
}

export interface HostContext extends Memory {
  readonly observed: Observed | undefined;
  readonly draft: Draft | undefined;
  /** The agent image for the registration of this pass. */
  readonly image: ImageOutcome;
  /** Held for the length of a pass; opaque to the chart. */
  readonly services: unknown;
}

export interface ReconcileEvent {
  readonly type: 'reconcile';
  readonly observed: Observed;
  readonly draft: Draft;
  readonly services: unknown;
}

export type Standing = 'ok' | 'discovered' | 'error' | 'delayed' | 'detached' | 'servicing';

/** Sent from outside: `reconcile` alone. The others are raised by one region for another. */
export type HostEvent =
  | ReconcileEvent
  | { readonly type: 'work' }
  | { readonly type: 'delete' }
  | { readonly type: 'release' }
  | { readonly type: `stand.${Standing}` };

/** What every actor of the chart receives. */
export interface ActorInput {
  readonly observed: Observed;
  readonly status: BareMetalHostStatus;
  readonly services: unknown;
}

/** What a procedure of its own takes in, and gives back changed: see `power.machine.ts`. */
export interface ProcedureInput {
  readonly observed: Observed;
  readonly draft: Draft;
  readonly services: unknown;
}

/** What the actor that registers a host receives besides. */
export type RegistrationInput = ActorInput & { readonly image: ImageOutcome };
