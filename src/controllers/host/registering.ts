/** Registration: the agent image of the host, what the back end is told of the host, and the objects that follow it (spec §4, §7). */
import {
  type ActorInput,
  credentialsMatch,
  currentImage,
  hasCustomDeploy,
  type ImageActorInput,
  type ImageOutcome,
  isInspectionDisabled,
  preprovisioningMachine,
  type RegistrationInput,
  type RegistrationOutcome,
  wantedSpec,
} from '../../../machines/index.js';
import { isKubeError } from '../../kube/index.js';
import { NeedsPreprovisioningImage, type RegisterData } from '../../provisioner/index.js';
import { actorOf, bootMode, cleaningMode, inspectionMode } from './actor-shapes.js';
import type { HostServices } from './services.js';

const imageActor = actorOf<ImageActorInput>();

/** In a namespace that is going away nothing can be made any more. */
async function createImage({ observed, formats }: ImageActorInput, services: HostServices): Promise<ImageOutcome> {
  const { images, host, signal } = services;
  try {
    await images.create(host.metadata, wantedSpec(observed, formats), signal);
    return { kind: 'absent' };
  } catch (error) {
    const isLeaving = host.metadata.deletionTimestamp !== undefined;
    if (!isLeaving || !isKubeError(error, 'KUBE_FORBIDDEN')) throw error;
    return { kind: 'broken', message: 'the preprovisioning image cannot be asked for: its namespace is going away' };
  }
}

export const providedPreprovisioningMachine = preprovisioningMachine.provide({
  actors: {
    askFormats: imageActor((_input, { provisioner }) => provisioner.preprovisioningImageFormats()),
    createImage: imageActor(createImage),
    updateImage: imageActor(({ change }, { images, key, signal }) => images.update(key, change, signal)),
    readNetworkVersion: imageActor((_input, { secrets, host, signal }) => secrets.networkDataVersion(host, signal)),
  },
});

function registerData(input: RegistrationInput, services: HostServices, networkData: string): RegisterData {
  const { observed, status, image } = input;
  const { spec } = observed.host;
  const wish = { spec, status };
  return {
    bootMode: bootMode(input),
    automatedCleaningMode: cleaningMode(input),
    state: status.provisioning.state,
    operationalStatus: status.operationalStatus,
    currentImage: currentImage(wish),
    ...(image.kind === 'ready' ? { preprovisioningImage: image.image } : {}),
    preprovisioningNetworkData: networkData,
    hasCustomDeploy: hasCustomDeploy(wish),
    disablePowerOff: spec.disablePowerOff === true,
    cpuArchitecture: observed.architecture,
    hardware: services.hardwareData.hardware(services.key),
    disableInspection: isInspectionDisabled(observed.host),
    inspectionMode: inspectionMode(input),
    credentialsChanged: !credentialsMatch(status.triedCredentials, observed.credentials),
    restartOnFailure: status.errorType === 'registration error',
  };
}

export async function register(input: RegistrationInput, services: HostServices): Promise<RegistrationOutcome> {
  const networkData = services.preprovisioningNetworkData;
  if (networkData === undefined) {
    const name = input.observed.host.spec.preprovisioningNetworkDataName;
    return refused(`preprovisioningNetworkDataName: the Secret ${name} does not exist: create it`);
  }
  try {
    const { result, ...node } = await services.provisioner.register(registerData(input, services, networkData));
    return { ...result, ...node };
  } catch (error) {
    if (error instanceof NeedsPreprovisioningImage && input.image.kind !== 'unused') {
      return withoutImage(input.image, services);
    }
    services.count('metal3_credentials_no_management_access_total');
    throw error;
  }
}

function withoutImage(image: ImageOutcome, services: HostServices): RegistrationOutcome {
  if (image.kind === 'ready') return refused('the preprovisioning image that was built cannot be booted by this host');
  services.count('metal3_waiting_for_preprov_image_total');
  const trouble = image.kind === 'absent' && image.trouble !== undefined ? { trouble: image.trouble } : {};
  return { kind: 'needsImage', provisionerID: '', ...trouble };
}

function refused(message: string): RegistrationOutcome {
  return { kind: 'failed', message, provisionerID: '' };
}

export async function claimFirmware({ status }: ActorInput, services: HostServices): Promise<void> {
  const { firmware, host, provisioner, signal } = services;
  const { state } = status.provisioning;
  await firmware.claim(host.metadata, state, () => provisioner.firmwareComponents(), signal);
}
