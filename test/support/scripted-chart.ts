/** The host chart with actors that answer what a test says. Provided once, as the real ones are. */
import { fromPromise } from 'xstate';
import {
  type ActorInput,
  hostMachine,
  type InspectionOutcome,
  type Outcome,
  type PowerActorInput,
  powerMachine,
  type PreparationOutcome,
  type RegistrationOutcome,
  type RemovalOutcome,
} from '../../machines/index.js';

/** Stands in for the services of a pass; may throw, as an actor may. */
export interface ActorScript {
  answer(name: string, input: ActorInput): unknown;
}

const scripted = <T>(name: string) =>
  fromPromise<T, ActorInput>(async ({ input }) => (input.services as ActorScript).answer(name, input) as T);
const scriptedPower = <T>(name: string) =>
  fromPromise<T, PowerActorInput>(async ({ input }) => (input.services as ActorScript).answer(name, input) as T);

export const scriptedPowerMachine = powerMachine.provide({
  actors: {
    observePower: scriptedPower<boolean | undefined>('observePower'),
    settleRebootRequests: scriptedPower<void>('settleRebootRequests'),
    powerOn: scriptedPower<Outcome>('powerOn'),
    powerOff: scriptedPower<Outcome>('powerOff'),
  },
});

/** All actors of the host chart but the power procedure, which is a chart of its own. */
export const scriptedActors = {
  detachHost: scripted<Outcome>('detachHost'),
  registerHost: scripted<RegistrationOutcome>('registerHost'),
  inspectHardware: scripted<InspectionOutcome>('inspectHardware'),
  removeInspectionRequests: scripted<void>('removeInspectionRequests'),
  saveHardwareData: scripted<void>('saveHardwareData'),
  prepareHost: scripted<PreparationOutcome>('prepareHost'),
  adoptHost: scripted<RemovalOutcome>('adoptHost'),
  provisionHost: scripted<Outcome>('provisionHost'),
  removeRebootRequest: scripted<void>('removeRebootRequest'),
  deprovisionHost: scripted<RemovalOutcome>('deprovisionHost'),
  powerOffHost: scripted<RemovalOutcome>('powerOffHost'),
  deleteHost: scripted<Outcome>('deleteHost'),
  releaseHost: scripted<void>('releaseHost'),
};

export const scriptedHostMachine = hostMachine.provide({
  actors: { ...scriptedActors, managePower: scriptedPowerMachine },
});
