/**
 * What the actors of the host chart really do. Each makes sure that one thing is so, by calling the provisioner or by one
 * write to the API server, and each may be repeated: a pass that ends half-way is taken again from its start.
 */
import {
  type ActorInput,
  credentialsMatch,
  currentImage,
  detachableStates,
  detachRequest,
  hasCustomDeploy,
  hostMachine,
  inspectAnnotation,
  isInspectionDisabled,
  isInspectionRequested,
  isRebootForced,
  isUnprepared,
  newDraft,
  type Outcome,
  type PowerActorInput,
  powerMachine,
  rebootAnnotation,
  rebootedAnnotation,
  type RegistrationOutcome,
  type RemovalOutcome,
  suffixedReboots,
  targetSettings,
} from '../../../machines/index.js';
import { finalizers } from '../../apis/index.js';
import { architectureOf } from './architecture.js';
import { NeedsRegistration } from '../../provisioner/index.js';
import { actorOf, bootMode, cleaningMode, inspectionMode } from './actor-shapes.js';
import { provision } from './deploying.js';
import type { HostServices } from './services.js';

const actor = actorOf<ActorInput>();
const powerActor = actorOf<PowerActorInput>();

async function register(input: ActorInput, services: HostServices): Promise<RegistrationOutcome> {
  const { observed, status } = input;
  const { spec } = observed.host;
  if (services.preprovisioningNetworkData === undefined) {
    const name = spec.preprovisioningNetworkDataName;
    const message = `preprovisioningNetworkDataName: the Secret ${name} does not exist: create it`;
    return { kind: 'failed', message, provisionerID: '' };
  }
  const wish = { spec, status };
  try {
    const { result, provisionerID } = await services.provisioner.register({
      bootMode: bootMode(input),
      automatedCleaningMode: cleaningMode(input),
      state: status.provisioning.state,
      operationalStatus: status.operationalStatus,
      currentImage: currentImage(wish),
      preprovisioningNetworkData: services.preprovisioningNetworkData,
      hasCustomDeploy: hasCustomDeploy(wish),
      disablePowerOff: spec.disablePowerOff === true,
      cpuArchitecture: architectureOf(observed.host, status),
      hardware: services.hardwareData.get(services.key)?.spec?.hardware,
      disableInspection: isInspectionDisabled(observed.host),
      inspectionMode: inspectionMode(input),
      credentialsChanged: !credentialsMatch(status.triedCredentials, observed.credentials),
      restartOnFailure: status.errorType === 'registration error',
    });
    return { ...result, provisionerID };
  } catch (error) {
    services.count('metal3_credentials_no_management_access_total');
    throw error;
  }
}

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
    observePower: powerActor(async (_input, { provisioner }) => (await provisioner.updateHardwareState()).poweredOn),
    settleRebootRequests: powerActor(settleRebootRequests),
    powerOn: powerActor<Outcome>((input, { provisioner }) => provisioner.powerOn(input.wish.force)),
    powerOff: powerActor<Outcome>((input, { provisioner }) =>
      provisioner.powerOff({
        rebootMode: input.wish.mode,
        force: input.wish.force,
        automatedCleaningMode: cleaningMode(input),
      }),
    ),
  },
});

export const providedHostMachine = hostMachine.provide({
  actors: {
    managePower: providedPowerMachine,
    registerHost: actor(register),
    detachHost: actor<Outcome>(({ observed, status }, { provisioner }) => {
      // A host at rest is let go gently whatever the annotation says: there is nothing to interrupt.
      const isAtRest = detachableStates.has(status.provisioning.state);
      return provisioner.detach(!isAtRest && detachRequest(observed.host, false).force);
    }),
    inspectHardware: actor(async (input, { provisioner }) => {
      const { observed, status } = input;
      const { result, started, details } = await provisioner.inspectHardware({
        bootMode: bootMode(input),
        cpuArchitecture: architectureOf(observed.host, status),
        inspectionMode: inspectionMode(input),
        restartOnFailure: status.errorType === 'inspection error',
        refresh: isInspectionRequested(observed.host),
        forceReboot: isRebootForced(observed.host),
      });
      return { ...result, started, details };
    }),
    removeInspectionRequests: actor((_input, { writer }) =>
      writer.removeAnnotations([inspectAnnotation, rebootAnnotation]),
    ),
    saveHardwareData: actor(async ({ observed, status }, { hardwareData, signal }) => {
      if (status.hardware !== undefined) await hardwareData.replace(observed.host.metadata, status.hardware, signal);
    }),
    prepareHost: actor(async ({ observed, status }, { provisioner }) => {
      const target = targetSettings(observed, status);
      const isRetry = status.errorType === 'preparation error';
      const { result, started } = await provisioner.prepare({
        targetRAID: target.raid,
        actualRAID: isRetry ? undefined : status.provisioning.raid,
        rootDeviceHints: target.rootDeviceHints,
        unprepared: isUnprepared(newDraft(status), observed),
        restartOnFailure: isRetry,
      });
      return { ...result, started };
    }),
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
    releaseHost: actor(async (_input, { secrets, host, writer, signal }) => {
      await secrets.release(host, signal);
      await writer.removeFinalizer(finalizers.host);
    }),
  },
});
