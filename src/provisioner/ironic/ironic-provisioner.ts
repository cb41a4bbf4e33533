/** The Ironic back end for one host and one pass: each operation in a file of its own. */
import type { FirmwareComponent, FirmwareSettings } from '../firmware.js';
import type {
  AdoptData,
  CapacityView,
  DeprovisionData,
  EventSubscription,
  HardwareState,
  InspectData,
  InspectResult,
  PowerOffData,
  PrepareData,
  PrepareResult,
  ProvisionResult,
  Progress,
  ProvisionData,
  Provisioner,
  RegisterData,
  RegisterResult,
  ServiceData,
  ServiceResult,
  SubscriptionResult,
  SubscriptionTarget,
} from '../provisioner.js';
import type { OperationResult } from '../results.js';
import { adopt } from './adopt.js';
import { capacity } from './capacity.js';
import { attachDataImage, dataImageAttached, detachDataImage } from './data-image.js';
import { contradictionOf } from './contradiction.js';
import { deprovision } from './deprovision.js';
import { addSubscription, findSubscriptions, removeSubscription } from './event-subscriptions.js';
import { firmwareComponents, firmwareSettings } from './firmware-queries.js';
import type { HostSession } from './host-session.js';
import { inspectHardware } from './inspect.js';
import type { IronicNode } from './node.js';
import { poweredOn, powerOff, powerOn } from './power.js';
import { prepare } from './prepare.js';
import { provision } from './provision.js';
import { register } from './register.js';
import { removeNode } from './removal.js';
import { service } from './service.js';

export class IronicProvisioner implements Provisioner {
  constructor(private readonly session: HostSession) {}

  register(data: RegisterData): Promise<RegisterResult> {
    return register(this.session, data);
  }

  /** An address that cannot be read is told by the registration, as an error that counts: here it would hold up a deletion for ever. */
  async preprovisioningImageFormats(): Promise<readonly ('iso' | 'initrd')[] | undefined> {
    if (!this.session.config.imageBuilder || this.session.addressProblem() !== undefined) return undefined;
    return Promise.resolve(this.session.access().supportsISOPreprovisioningImage ? ['iso', 'initrd'] : ['initrd']);
  }

  inspectHardware(data: InspectData): Promise<InspectResult> {
    return inspectHardware(this.session, data);
  }

  async updateHardwareState(state: string): Promise<HardwareState> {
    const node = await this.session.node();
    const contradiction = contradictionOf(node, state);
    return { poweredOn: poweredOn(node), ...(contradiction === undefined ? {} : { contradiction }) };
  }

  adopt(data: AdoptData): Promise<OperationResult> {
    return adopt(this.session, data);
  }

  prepare(data: PrepareData): Promise<PrepareResult> {
    return prepare(this.session, data);
  }

  service(data: ServiceData): Promise<ServiceResult> {
    return service(this.session, data);
  }

  provision(data: ProvisionData): Promise<ProvisionResult> {
    return provision(this.session, data);
  }

  deprovision(data: DeprovisionData): Promise<OperationResult> {
    return deprovision(this.session, data);
  }

  delete(): Promise<OperationResult> {
    return removeNode(this.session, false);
  }

  detach(force: boolean): Promise<OperationResult> {
    return removeNode(this.session, force);
  }

  powerOn(force: boolean): Promise<OperationResult> {
    return powerOn(this.session, force);
  }

  powerOff(data: PowerOffData): Promise<OperationResult> {
    return powerOff(this.session, data);
  }

  capacity(): Promise<CapacityView> {
    return capacity(this.session);
  }

  firmwareSettings(includeSchema: boolean): Promise<FirmwareSettings> {
    return firmwareSettings(this.session, includeSchema);
  }

  firmwareComponents(): Promise<readonly FirmwareComponent[]> {
    return firmwareComponents(this.session);
  }

  addBMCEventSubscription(subscription: EventSubscription): Promise<SubscriptionResult> {
    return addSubscription(this.session, subscription);
  }

  findBMCEventSubscriptions(wish: SubscriptionTarget): Promise<readonly string[]> {
    return findSubscriptions(this.session, wish);
  }

  removeBMCEventSubscription(subscriptionID: string): Promise<OperationResult> {
    return removeSubscription(this.session, subscriptionID);
  }

  dataImageAttached(): Promise<boolean> {
    return dataImageAttached(this.session);
  }

  attachDataImage(url: string): Promise<void> {
    return attachDataImage(this.session, url);
  }

  detachDataImage(): Promise<void> {
    return detachDataImage(this.session);
  }

  async hasPowerFailure(): Promise<boolean> {
    return (await this.#seen())?.fault === 'power failure';
  }

  async health(): Promise<string> {
    return (await this.#seen())?.health ?? '';
  }

  progress(): Progress {
    return { state: this.session.lastSeen?.provisionState ?? '' };
  }

  /** What this pass has read already is good enough here, even if a command has been sent since. */
  async #seen(): Promise<IronicNode | undefined> {
    try {
      return this.session.lastSeen ?? (await this.session.node());
    } catch {
      return undefined;
    }
  }
}
