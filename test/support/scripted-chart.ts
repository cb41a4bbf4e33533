/** The host chart with actors that answer what a test says. Provided once, as the real ones are. */
import { fromPromise } from 'xstate';
import {
  type ActorInput,
  dataImageMachine,
  type DriveActorInput,
  type DriveChangeOutcome,
  type DriveOutcome,
  hostMachine,
  type ImageActorInput,
  type ImageFormats,
  type ImageOutcome,
  type InspectionOutcome,
  type Outcome,
  type PowerActorInput,
  powerMachine,
  type PowerObservation,
  type PreparationOutcome,
  preprovisioningMachine,
  type RegistrationInput,
  type RegistrationOutcome,
  type RemovalOutcome,
  servicingMachine,
  type ServicingOutcome,
} from '../../machines/index.js';

/** Stands in for the services of a pass; may throw, as an actor may. */
export interface ActorScript {
  answer(name: string, input: ActorInput): unknown;
}

const scriptedFor =
  <I extends ActorInput>() =>
  <T>(name: string) =>
    fromPromise<T, I>(async ({ input }) => (input.services as ActorScript).answer(name, input) as T);
const scripted = scriptedFor<ActorInput>();
const scriptedPower = scriptedFor<PowerActorInput>();
const scriptedDrive = scriptedFor<DriveActorInput>();
const scriptedImage = scriptedFor<ImageActorInput>();

const updateActors = {
  forgetFirmwareUpdates: scripted<void>('forgetFirmwareUpdates'),
  recordFirmwareUpdates: scripted<void>('recordFirmwareUpdates'),
};

export const scriptedServicingMachine = servicingMachine.provide({
  actors: { serviceHost: scripted<ServicingOutcome>('serviceHost'), ...updateActors },
});

export const scriptedDataImageMachine = dataImageMachine.provide({
  actors: {
    observeDrive: scriptedDrive<DriveOutcome>('observeDrive'),
    attachDataImage: scriptedDrive<DriveChangeOutcome>('attachDataImage'),
    detachDataImage: scriptedDrive<DriveChangeOutcome>('detachDataImage'),
    recordDataImage: scriptedDrive<void>('recordDataImage'),
  },
});

export const scriptedPreprovisioningMachine = preprovisioningMachine.provide({
  actors: {
    askFormats: scriptedImage<ImageFormats | undefined>('askFormats'),
    createImage: scriptedImage<ImageOutcome>('createImage'),
    updateImage: scriptedImage<void>('updateImage'),
    readNetworkVersion: scriptedImage<string>('readNetworkVersion'),
  },
});

export const scriptedPowerMachine = powerMachine.provide({
  actors: {
    observePower: scriptedPower<PowerObservation>('observePower'),
    tendDataImage: scriptedDataImageMachine,
    serviceFirmware: scriptedServicingMachine,
    settleRebootRequests: scriptedPower<void>('settleRebootRequests'),
    powerOn: scriptedPower<Outcome>('powerOn'),
    powerOff: scriptedPower<Outcome>('powerOff'),
  },
});

/** All actors of the host chart but the procedures, which are charts of their own. */
export const scriptedActors = {
  detachHost: scripted<Outcome>('detachHost'),
  registerHost: scriptedFor<RegistrationInput>()<RegistrationOutcome>('registerHost'),
  claimFirmwareObjects: scripted<void>('claimFirmwareObjects'),
  inspectHardware: scripted<InspectionOutcome>('inspectHardware'),
  removeInspectionRequests: scripted<void>('removeInspectionRequests'),
  removeInspectionRequest: scripted<void>('removeInspectionRequest'),
  saveHardwareData: scripted<void>('saveHardwareData'),
  prepareHost: scripted<PreparationOutcome>('prepareHost'),
  ...updateActors,
  adoptHost: scripted<RemovalOutcome>('adoptHost'),
  provisionHost: scripted<Outcome>('provisionHost'),
  removeRebootRequest: scripted<void>('removeRebootRequest'),
  deprovisionHost: scripted<RemovalOutcome>('deprovisionHost'),
  powerOffHost: scripted<RemovalOutcome>('powerOffHost'),
  deleteHost: scripted<Outcome>('deleteHost'),
  releaseHost: scripted<void>('releaseHost'),
};

export const scriptedProcedures = {
  managePower: scriptedPowerMachine,
  readyImage: scriptedPreprovisioningMachine,
};

export const scriptedHostMachine = hostMachine.provide({
  actors: { ...scriptedActors, ...scriptedProcedures },
});
