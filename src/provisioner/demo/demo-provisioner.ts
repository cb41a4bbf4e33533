/** A back end without state, whose behaviour a host chooses by its name. Provisioner spec, section 10.2. */
import type { FirmwareComponent, FirmwareSettings } from '../firmware.js';
import type {
  CapacityView,
  EventPublisher,
  HostAccess,
  InspectResult,
  PrepareData,
  PrepareResult,
  Progress,
  Provisioner,
  RegisterResult,
  ServiceData,
  ServiceResult,
  SubscriptionResult,
} from '../provisioner.js';
import { complete, failed, inProgress, type OperationResult } from '../results.js';
import { demoDetails } from './demo-details.js';

/** Names that mean something; any other host goes through its life without a hitch. */
export const demoNames = {
  registrationError: 'demo-registration-error',
  registering: 'demo-registering',
  inspecting: 'demo-inspecting',
  preparingError: 'demo-preparing-error',
  preparing: 'demo-preparing',
  validationError: 'demo-validation-error',
  provisioning: 'demo-provisioning',
} as const;

const working = inProgress(5000);
const nothing = (): Promise<void> => Promise.resolve();
const done = (): Promise<OperationResult> => Promise.resolve(complete);

export class DemoProvisioner implements Provisioner {
  readonly adopt = done;
  readonly deprovision = done;
  readonly delete = done;
  readonly detach = done;
  readonly powerOn = done;
  readonly powerOff = done;
  readonly removeBMCEventSubscription = done;
  readonly attachDataImage = nothing;
  readonly detachDataImage = nothing;

  constructor(
    private readonly host: HostAccess,
    private readonly publish: EventPublisher,
  ) {}

  register(): Promise<RegisterResult> {
    const { name, provisionerID } = this.host;
    if (name === demoNames.registrationError) {
      return Promise.resolve({ result: failed('failed to register new host'), provisionerID: '' });
    }
    if (name === demoNames.registering) return Promise.resolve({ result: working, provisionerID: '' });
    const result = provisionerID === '' ? inProgress(0) : complete;
    return Promise.resolve({ result, provisionerID: name });
  }

  preprovisioningImageFormats() {
    return Promise.resolve(undefined);
  }

  inspectHardware(): Promise<InspectResult> {
    if (this.host.name === demoNames.inspecting) {
      return Promise.resolve({ result: working, started: true, details: undefined });
    }
    this.publish('InspectionComplete', 'The hardware is known');
    return Promise.resolve({ result: complete, started: true, details: demoDetails() });
  }

  updateHardwareState() {
    return Promise.resolve({ poweredOn: undefined });
  }

  prepare(data: PrepareData): Promise<PrepareResult> {
    return this.#settingUp('preparing failed', data);
  }

  service(data: ServiceData): Promise<ServiceResult> {
    return this.#settingUp('servicing failed', data);
  }

  provision(): Promise<OperationResult> {
    switch (this.host.name) {
      case demoNames.validationError:
        return Promise.resolve(failed('validation failed'));
      case demoNames.provisioning:
        return Promise.resolve(working);
      default:
        return done();
    }
  }

  capacity(): Promise<CapacityView> {
    return Promise.resolve({ exempt: true, busy: [] });
  }

  firmwareSettings(): Promise<FirmwareSettings> {
    return Promise.resolve({ settings: {}, schema: {} });
  }

  firmwareComponents(): Promise<readonly FirmwareComponent[]> {
    return Promise.resolve([]);
  }

  addBMCEventSubscription(): Promise<SubscriptionResult> {
    return Promise.resolve({ result: complete, subscriptionID: '' });
  }

  dataImageAttached(): Promise<boolean> {
    return Promise.resolve(false);
  }

  hasPowerFailure() {
    return Promise.resolve(false);
  }

  health() {
    return Promise.resolve('');
  }

  progress(): Progress {
    return { state: '' };
  }

  #settingUp(problem: string, { unprepared }: { readonly unprepared: boolean }): Promise<PrepareResult> {
    switch (this.host.name) {
      case demoNames.preparingError:
        return Promise.resolve({ result: failed(problem), started: false });
      case demoNames.preparing:
        return Promise.resolve({ result: working, started: unprepared });
      default:
        return Promise.resolve({ result: complete, started: true });
    }
  }
}
