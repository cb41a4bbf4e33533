/**
 * The contract between the host controller and a back end that drives machines. A back end is a `ProvisionerFactory`; the
 * controller asks it for one `Provisioner` a pass, so an implementation may cache what it has read for the length of a pass.
 * Meaning of each operation: the spec of the provisioner layer, "Operations and inputs".
 */
import type { CustomDeploy, HardwareDetails, Image, RAIDConfig, RootDeviceHints } from '../apis/index.js';
import type { FirmwareComponent, FirmwareSettings, FirmwareWish } from './firmware.js';
import type { OperationResult } from './results.js';

export type BootMode = 'UEFI' | 'UEFISecureBoot' | 'legacy';
export type InspectionMode = 'disabled' | 'agent' | 'fast';
export type AutomatedCleaningMode = 'metadata' | 'disabled';
export type RebootMode = 'hard' | 'soft';

export interface BMCCredentials {
  readonly username: string;
  readonly password: string;
}

/** What a back end knows of a host before any operation. */
export interface HostAccess {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly bmcAddress: string;
  readonly disableCertificateVerification: boolean;
  /**
   * Reads the credentials, when they are needed and not before. Undefined when the host has none yet, or when it is being
   * deleted and its Secret is gone.
   */
  readonly credentials: () => Promise<BMCCredentials | undefined>;
  /** "" when unset. */
  readonly bootMACAddress: string;
  /** The back end's ID of the host (`status.provisioning.ID`), "" when not registered. */
  readonly provisionerID: string;
}

/** An agent image that was built for one host. */
export interface PreprovisioningImageData {
  readonly format: 'iso' | 'initrd';
  readonly imageURL: string;
  /** "": none came with it. */
  readonly kernelURL: string;
  readonly extraKernelParams: string;
}

export interface RegisterData {
  readonly bootMode: BootMode | undefined;
  readonly automatedCleaningMode: AutomatedCleaningMode;
  /** `status.provisioning.state`. */
  readonly state: string;
  readonly operationalStatus: string;
  readonly currentImage: Image | undefined;
  /** Absent when images are not built, or there is none yet. */
  readonly preprovisioningImage?: PreprovisioningImageData;
  readonly preprovisioningNetworkData: string;
  readonly hasCustomDeploy: boolean;
  readonly disablePowerOff: boolean;
  /** "" when unknown. */
  readonly cpuArchitecture: string;
  /** `spec.hardware` of the host's HardwareData, if there is one. */
  readonly hardware: HardwareDetails | undefined;
  readonly disableInspection: boolean;
  readonly inspectionMode: InspectionMode | undefined;
  readonly credentialsChanged: boolean;
  readonly restartOnFailure: boolean;
}

export interface RegisterResult {
  readonly result: OperationResult;
  /** "" when the back end has no ID for the host yet. */
  readonly provisionerID: string;
  /** Of this node nothing has been done yet: what the host was prepared with has to be done again. */
  readonly isNew?: boolean;
  /** When the back end made the node, RFC 3339, by its own clock; another time at the same ID is another node. Absent: not known. */
  readonly createdAt?: string;
}

export interface HardwareState {
  /** undefined: not known. */
  readonly poweredOn: boolean | undefined;
  /**
   * Why the machine cannot be what the state of its host says, and what to do about it, for the person who looks at the host; must
   * not change with every look. Absent: it may well be.
   */
  readonly contradiction?: string;
}

export interface InspectData {
  readonly bootMode: BootMode | undefined;
  readonly cpuArchitecture: string;
  readonly inspectionMode: InspectionMode | undefined;
  readonly restartOnFailure: boolean;
  readonly refresh: boolean;
  readonly forceReboot: boolean;
}

export interface InspectResult {
  readonly result: OperationResult;
  /** The back end has accepted a new inspection in this call. */
  readonly started: boolean;
  readonly details: HardwareDetails | undefined;
}

export interface AdoptData {
  readonly state: string;
  readonly restartOnFailure: boolean;
}

export interface PrepareData {
  readonly targetRAID: RAIDConfig | undefined;
  readonly actualRAID: RAIDConfig | undefined;
  readonly rootDeviceHints: RootDeviceHints | undefined;
  /** Absent: firmware is not to be changed. */
  readonly firmware?: FirmwareWish;
  /** Something differs from what was prepared last. */
  readonly unprepared: boolean;
  readonly restartOnFailure: boolean;
}

export interface PrepareResult {
  readonly result: OperationResult;
  /**
   * The new settings were accepted, or there turned out to be nothing to do: the caller may take them for set. Until then, while
   * the work is in progress, the next call is to say the same as this one, a retry included.
   */
  readonly started: boolean;
}

export interface ServiceData {
  /** Absent: nothing is left to be changed. */
  readonly firmware?: FirmwareWish;
  /** Some firmware is still wished for, changed or not; without it a servicing that waits or has failed is aborted. */
  readonly hasFirmwareSpec: boolean;
  /** Something differs from what was serviced last. */
  readonly unprepared: boolean;
  readonly restartOnFailure: boolean;
}

export type ServiceResult = PrepareResult;

/** Config-drive contents; read only when they are needed. Each rejects when its Secret is missing or unusable. */
export interface HostConfig {
  userData(): Promise<string>;
  networkData(): Promise<string>;
  metaData(): Promise<string>;
}

export interface ProvisionData {
  readonly image: Image | undefined;
  readonly customDeploy: CustomDeploy | undefined;
  readonly hostConfig: HostConfig;
  readonly bootMode: BootMode | undefined;
  readonly rootDeviceHints: RootDeviceHints | undefined;
  /** Plain `user:password` for an OCI registry, "" when none. */
  readonly imagePullSecret: string;
  readonly forceReboot: boolean;
}

export interface DeprovisionData {
  readonly restartOnFailure: boolean;
  readonly automatedCleaningMode: AutomatedCleaningMode;
}

export interface PowerOffData {
  readonly rebootMode: RebootMode;
  readonly force: boolean;
  readonly automatedCleaningMode: AutomatedCleaningMode;
}

/** What a BMC tells of a subscription that it has; of the headers it tells nothing. */
export interface SubscriptionTarget {
  /** URL that the BMC sends events to. */
  readonly destination: string;
  /** Passed along with each event; "": none. */
  readonly context: string;
}

/** A wish to be told of a BMC's events. */
export interface EventSubscription extends SubscriptionTarget {
  /** Sent by the BMC with each event. Values may be secrets. */
  readonly headers: readonly Readonly<Record<string, string>>[];
}

export type ProvisionResult = OperationResult & {
  /**
   * The deployment was begun, or ended, by an earlier call, and the wish may have changed since. `imageURL`: its image as the
   * back end has it, "" without one. Absent where this call begins anew, or the back end cannot say.
   */
  readonly begun?: { readonly imageURL: string };
};

export interface SubscriptionResult {
  readonly result: OperationResult;
  /** The BMC's name of the subscription, needed to remove it; "" until the result is complete. */
  readonly subscriptionID: string;
}

/** How the back end's capacity looks from this host. */
export interface CapacityView {
  /** This host never counts against the limit (virtual media). */
  readonly exempt: boolean;
  /** Keys (`namespace/name`) of hosts that the back end reports busy; for a foreign node, whatever identifies it. */
  readonly busy: readonly string[];
  /** The same for all views that come from one look at the back end: such a look is counted once. */
  readonly look?: object;
}

/** What the back end says of a host at this moment, for people: shown, never decided upon. */
export interface Progress {
  /** Such as `wait call-back`. "" when unknown. */
  readonly state: string;
}

export interface Provisioner {
  register(data: RegisterData): Promise<RegisterResult>;
  /** Formats of agent image that the host takes; undefined: no image builder is in use. */
  preprovisioningImageFormats(): Promise<readonly ('iso' | 'initrd')[] | undefined>;
  inspectHardware(data: InspectData): Promise<InspectResult>;
  /** @param state `status.provisioning.state`, in which the host rests */
  updateHardwareState(state: string): Promise<HardwareState>;
  adopt(data: AdoptData): Promise<OperationResult>;
  /** Sets RAID volumes and firmware up before an image is written. */
  prepare(data: PrepareData): Promise<PrepareResult>;
  /** Changes the firmware of a host that is in use. */
  service(data: ServiceData): Promise<ServiceResult>;
  provision(data: ProvisionData): Promise<ProvisionResult>;
  deprovision(data: DeprovisionData): Promise<OperationResult>;
  delete(): Promise<OperationResult>;
  detach(force: boolean): Promise<OperationResult>;
  powerOn(force: boolean): Promise<OperationResult>;
  powerOff(data: PowerOffData): Promise<OperationResult>;
  capacity(): Promise<CapacityView>;
  /** Needs no more of the host than its ID. @throws NeedsRegistration */
  firmwareSettings(includeSchema: boolean): Promise<FirmwareSettings>;
  /** Needs no more of the host than its ID. @throws NeedsRegistration */
  firmwareComponents(): Promise<readonly FirmwareComponent[]>;
  /** Not idempotent: each call makes another subscription. */
  addBMCEventSubscription(subscription: EventSubscription): Promise<SubscriptionResult>;
  /**
   * IDs of the subscriptions of the BMC that have this destination and this context: whoever has asked for one and not heard the
   * answer finds it here. Absent: the back end cannot say. @throws NeedsRegistration
   */
  findBMCEventSubscriptions?(wish: SubscriptionTarget): Promise<readonly string[]>;
  removeBMCEventSubscription(subscriptionID: string): Promise<OperationResult>;
  /** Whether an image is in the host's virtual drive. @throws NodeIsBusy when that cannot be told now. */
  dataImageAttached(): Promise<boolean>;
  attachDataImage(url: string): Promise<void>;
  detachDataImage(): Promise<void>;
  /** Never rejects: an unreadable node counts as no failure. */
  hasPowerFailure(): Promise<boolean>;
  /** `OK`, `Warning`, `Critical`, other text, or "" when unknown. Never rejects. */
  health(): Promise<string>;
  /** From what this pass has read already; no request of its own. */
  progress(): Progress;
}

/** What a back end needs to know for operations that never talk of the BMC: firmware queries, data images, subscriptions. */
export function accessByID(host: Pick<HostAccess, 'namespace' | 'name' | 'uid' | 'provisionerID'>): HostAccess {
  const { namespace, name, uid, provisionerID } = host;
  return {
    ...{ namespace, name, uid, provisionerID },
    bmcAddress: '',
    disableCertificateVerification: false,
    credentials: () => Promise.resolve(undefined),
    bootMACAddress: '',
  };
}

/** Publishes a core/v1 Event on the host once the pass has ended. */
export type EventPublisher = (reason: string, message: string) => void;

export interface ProvisionerFactory {
  readonly name: string;
  /** How many hosts may be busy at once; Infinity when the back end sets no bound. */
  readonly capacityLimit: number;
  /**
   * @throws ProvisionerNotReady when no working back end can be reached.
   * The signal aborts every request that the provisioner makes.
   */
  forHost(host: HostAccess, publish: EventPublisher, signal?: AbortSignal): Promise<Provisioner>;
  /**
   * Keys (`namespace/name`) of the hosts that the back end keeps a machine for, by one look at it; machines that are no host's are
   * left out. Absent: it cannot say. May be a few seconds old. @throws ProvisionerNotReady
   */
  knownHosts?(): Promise<readonly string[]>;
  close(): Promise<void>;
}
