/**
 * What the actors of the host chart really do. Each makes sure that one thing is so, by calling the provisioner or by one
 * write to the API server, and each may be repeated: a pass that ends half-way is taken again from its start.
 */
import {
  type ActorInput,
  detachableStates,
  detachRequest,
  hostMachine,
  inspectAnnotation,
  isInspectionRequested,
  isRebootForced,
  type Outcome,
  rebootAnnotation,
  type RegistrationInput,
  type RemovalOutcome,
} from '../../../machines/index.js';
import { finalizers } from '../../apis/index.js';
import { NeedsRegistration } from '../../provisioner/index.js';
import { actorOf, bootMode, cleaningMode, inspectionMode } from './actor-shapes.js';
import { provision } from './deploying.js';
import { prepare, updateActors } from './firmware-actors.js';
import { explainInspectFailure } from './inspect-failure.js';
import { providedPowerMachine } from './power-actors.js';
import { claimFirmware, providedPreprovisioningMachine, register } from './registering.js';

const actor = actorOf<ActorInput>();

/** Without credentials a lost node cannot be registered again: a deletion then goes on without it. */
async function orUnreachable(input: ActorInput, work: Promise<Outcome>): Promise<RemovalOutcome> {
  try {
    return await work;
  } catch (error) {
    const isDeleting = input.observed.host.metadata.deletionTimestamp !== undefined;
    if (error instanceof NeedsRegistration && isDeleting && !input.observed.haveCredentials) {
      return { kind: 'unreachable' };
    }
    throw error;
  }
}

export const providedHostMachine = hostMachine.provide({
  actors: {
    managePower: providedPowerMachine,
    readyImage: providedPreprovisioningMachine,
    registerHost: actorOf<RegistrationInput>()(register),
    claimFirmwareObjects: actor(claimFirmware),
    detachHost: actor<Outcome>(({ observed, status }, { provisioner }) => {
      // A host at rest is let go gently whatever the annotation says: there is nothing to interrupt.
      const isAtRest = detachableStates.has(status.provisioning.state);
      return provisioner.detach(!isAtRest && detachRequest(observed.host, false).force);
    }),
    inspectHardware: actor(async (input, { provisioner }) => {
      const { observed, status } = input;
      const { result, started, details } = await provisioner.inspectHardware({
        bootMode: bootMode(input),
        cpuArchitecture: observed.architecture,
        inspectionMode: inspectionMode(input),
        restartOnFailure: status.errorType === 'inspection error',
        refresh: isInspectionRequested(observed.host),
        forceReboot: isRebootForced(observed.host),
      });
      if (result.kind !== 'failed') return { ...result, started, details };
      const about = { inspectionMode: inspectionMode(input), bootMode: bootMode(input) };
      return { ...result, message: explainInspectFailure(result.message, about), started, details };
    }),
    removeInspectionRequests: actor((_input, { writer }) =>
      writer.removeAnnotations([inspectAnnotation, rebootAnnotation]),
    ),
    removeInspectionRequest: actor((_input, { writer }) => writer.removeAnnotations([inspectAnnotation])),
    saveHardwareData: actor(async ({ observed, status }, { hardwareData, signal }) => {
      if (status.hardware !== undefined) await hardwareData.replace(observed.host.metadata, status.hardware, signal);
    }),
    prepareHost: actor(prepare),
    ...updateActors,
    adoptHost: actor<RemovalOutcome>((input, { provisioner }) =>
      orUnreachable(
        input,
        provisioner.adopt({
          state: input.status.provisioning.state,
          restartOnFailure: input.status.errorType === 'provisioned registration error',
        }),
      ),
    ),
    provisionHost: actor(provision),
    removeRebootRequest: actor((_input, { writer }) => writer.removeAnnotations([rebootAnnotation])),
    deprovisionHost: actor<RemovalOutcome>((input, { provisioner }) =>
      orUnreachable(
        input,
        provisioner.deprovision({
          restartOnFailure: input.status.errorType === 'provisioning error',
          automatedCleaningMode: cleaningMode(input),
        }),
      ),
    ),
    powerOffHost: actor<RemovalOutcome>((input, { provisioner }) =>
      orUnreachable(
        input,
        provisioner.powerOff({
          rebootMode: 'hard',
          force: input.status.errorType === 'power management error',
          automatedCleaningMode: cleaningMode(input),
        }),
      ),
    ),
    deleteHost: actor<Outcome>((_input, { provisioner }) => provisioner.delete()),
    releaseHost: actor(async (_input, { key, secrets, images, host, writer, signal }) => {
      // Others hold the host that was let go: its Secret may be in use by hosts that have taken hold of it since.
      if (host.metadata.finalizers?.includes(finalizers.host) !== true) return;
      await secrets.release(host, signal);
      await images.release(key, signal);
      await writer.removeFinalizer(finalizers.host);
    }),
  },
});
