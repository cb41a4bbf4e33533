/** What is really done about a host's power, and about the image in its virtual drive before it is powered on. */
import {
  dataImageMachine,
  type DriveActorInput,
  type DriveChangeOutcome,
  type DriveOutcome,
  type Outcome,
  type PowerActorInput,
  powerMachine,
  rebootAnnotation,
  rebootedAnnotation,
  suffixedReboots,
} from '../../../machines/index.js';
import { messageOf } from '../../errors.js';
import { KubeError } from '../../kube/index.js';
import { NodeIsBusy } from '../../provisioner/index.js';
import { actorOf, cleaningMode } from './actor-shapes.js';
import { providedServicingMachine } from './firmware-actors.js';
import type { HostServices } from './services.js';

const actor = actorOf<PowerActorInput>();
const driveActor = actorOf<DriveActorInput>();

/**
 * A drive that cannot be looked at is told on the DataImage: the host itself is not to blame, and waits. What the API server has
 * against a request of ours, such as the write that goes before a command, is no failure of the drive.
 */
async function observeDrive(_input: DriveActorInput, { provisioner, signal }: HostServices): Promise<DriveOutcome> {
  try {
    return { kind: (await provisioner.dataImageAttached()) ? 'attached' : 'empty' };
  } catch (error) {
    if (signal.aborted || error instanceof KubeError) throw error;
    return error instanceof NodeIsBusy ? { kind: 'busy' } : { kind: 'unreadable', message: messageOf(error) };
  }
}

async function orFailed(work: Promise<void>, { signal }: HostServices): Promise<DriveChangeOutcome> {
  try {
    await work;
    return { kind: 'accepted' };
  } catch (error) {
    if (signal.aborted || error instanceof KubeError) throw error;
    return { kind: 'failed', message: messageOf(error) };
  }
}

export const providedDataImageMachine = dataImageMachine.provide({
  actors: {
    observeDrive: driveActor(observeDrive),
    attachDataImage: driveActor(({ observed }, services) =>
      orFailed(services.provisioner.attachDataImage(observed.dataImage?.object.spec.url ?? ''), services),
    ),
    detachDataImage: driveActor((_input, services) => orFailed(services.provisioner.detachDataImage(), services)),
    recordDataImage: driveActor(({ news }, { dataImages, key, signal }) => dataImages.record(key, news, signal)),
  },
});

/** One-shot requests go; those that their clients own stay, and are noted as answered. */
async function settleRebootRequests(_input: PowerActorInput, { writer, host }: HostServices): Promise<void> {
  const suffixed = host.spec.disablePowerOff === true ? suffixedReboots(host) : '';
  const known = host.metadata.annotations ?? {};
  await writer.setAnnotations({
    ...(rebootAnnotation in known ? { [rebootAnnotation]: null } : {}),
    ...(suffixed !== '' ? { [rebootedAnnotation]: suffixed } : {}),
  });
}

export const providedPowerMachine = powerMachine.provide({
  actors: {
    observePower: actor(({ status }, { provisioner }) => provisioner.updateHardwareState(status.provisioning.state)),
    tendDataImage: providedDataImageMachine,
    serviceFirmware: providedServicingMachine,
    settleRebootRequests: actor(settleRebootRequests),
    powerOn: actor<Outcome>((input, { provisioner }) => provisioner.powerOn(input.wish.force)),
    powerOff: actor<Outcome>((input, { provisioner }) =>
      provisioner.powerOff({
        rebootMode: input.wish.mode,
        force: input.wish.force,
        automatedCleaningMode: cleaningMode(input),
      }),
    ),
  },
});
