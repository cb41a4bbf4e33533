/** What is really done about the firmware of a host, be it prepared for use or in use (host-lifecycle spec §5.2, §6.5). */
import {
  type ActorInput,
  firmwareChange,
  firmwareDemand,
  hasFirmwareSpec,
  isDemanded,
  isUnprepared,
  newDraft,
  policyScope,
  type PreparationOutcome,
  servicingDemand,
  servicingMachine,
  type ServicingOutcome,
  targetSettings,
} from '../../../machines/index.js';
import { actorOf } from './actor-shapes.js';
import type { HostServices } from './services.js';

const actor = actorOf<ActorInput>();

export async function prepare(
  { observed, status }: ActorInput,
  { provisioner }: HostServices,
): Promise<PreparationOutcome> {
  const target = targetSettings(observed, status);
  const isRetry = status.errorType === 'preparation error';
  const firmware = firmwareChange(observed.firmware, firmwareDemand(observed.firmware, status));
  const { result, started } = await provisioner.prepare({
    targetRAID: target.raid,
    actualRAID: isRetry ? undefined : status.provisioning.raid,
    rootDeviceHints: target.rootDeviceHints,
    ...(firmware === undefined ? {} : { firmware }),
    unprepared: isUnprepared(newDraft(status), observed),
    restartOnFailure: isRetry,
  });
  return { ...result, started };
}

async function service({ observed, status }: ActorInput, { provisioner }: HostServices): Promise<ServicingOutcome> {
  const demand = servicingDemand({ observed, draft: newDraft(status) });
  const firmware = firmwareChange(observed.firmware, demand);
  const { result, started } = await provisioner.service({
    ...(firmware === undefined ? {} : { firmware }),
    hasFirmwareSpec: hasFirmwareSpec(observed.firmware, policyScope(observed.firmware)),
    unprepared: isDemanded(demand),
    restartOnFailure: status.errorType === 'servicing error',
  });
  return { ...result, started };
}

export const updateActors = {
  forgetFirmwareUpdates: actor((_input, { firmware, key, signal }) => firmware.forgetUpdates(key, signal)),
  recordFirmwareUpdates: actor((_input, { firmware, key, provisioner, signal }) =>
    firmware.recordUpdates(key, () => provisioner.firmwareComponents(), signal),
  ),
};

export const providedServicingMachine = servicingMachine.provide({
  actors: { serviceHost: actor(service), ...updateActors },
});
