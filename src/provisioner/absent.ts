/**
 * Stands in for a back end that is away, for one purpose: a host that was set aside by its user is deleted without it.
 * Everything but the removal is refused.
 */
import type { Provisioner } from './provisioner.js';
import { complete, ProvisionerNotReady, type OperationResult } from './results.js';

function refuse(): Promise<never> {
  return Promise.reject(new ProvisionerNotReady('the back end is away'));
}

export class AbsentProvisioner implements Provisioner {
  readonly register = refuse;
  readonly inspectHardware = refuse;
  readonly updateHardwareState = refuse;
  readonly adopt = refuse;
  readonly prepare = refuse;
  readonly service = refuse;
  readonly provision = refuse;
  readonly deprovision = refuse;
  readonly detach = refuse;
  readonly powerOn = refuse;
  readonly powerOff = refuse;
  readonly firmwareSettings = refuse;
  readonly firmwareComponents = refuse;
  readonly addBMCEventSubscription = refuse;
  readonly removeBMCEventSubscription = refuse;
  readonly dataImageAttached = refuse;
  readonly attachDataImage = refuse;
  readonly detachDataImage = refuse;

  preprovisioningImageFormats() {
    return Promise.resolve(undefined);
  }

  delete(): Promise<OperationResult> {
    return Promise.resolve(complete);
  }

  capacity() {
    return Promise.resolve({ exempt: true, busy: [] });
  }

  hasPowerFailure() {
    return Promise.resolve(false);
  }

  health() {
    return Promise.resolve('');
  }

  progress() {
    return { state: '' };
  }
}
