/** Writing an image to a host: what the back end is given for it (host-lifecycle spec §3, provisioning, and §8.3). */
import { type ActorInput, isRebootForced, type ProvisioningOutcome } from '../../../machines/index.js';
import { bootMode } from './actor-shapes.js';
import { explainDeployFailure } from './deploy-failure.js';
import { discreet, maskOf } from './discretion.js';
import type { HostServices } from './services.js';

export async function provision(input: ActorInput, services: HostServices): Promise<ProvisioningOutcome> {
  const { observed, status } = input;
  const { image, customDeploy } = observed.host.spec;
  if (observed.profile.hints === undefined) throw new Error(`unknown hardware profile: ${observed.profile.name}`);
  const pullSecret = await services.secrets.pullSecret(observed.host, services.signal);
  if (pullSecret.kind !== 'good') {
    if (pullSecret.kind === 'bad') services.warn(pullSecret.reason, pullSecret.message);
    return { kind: 'failed', message: `spec.image.ociAuthSecretName: ${pullSecret.message}` };
  }
  const result = await sparing(services.provisioner, pullSecret.login).provision({
    image,
    customDeploy,
    hostConfig: services.secrets.hostConfig(observed.host, services.signal),
    bootMode: bootMode(input),
    rootDeviceHints: status.provisioning.rootDeviceHints,
    imagePullSecret: pullSecret.login,
    forceReboot: isRebootForced(observed.host),
  });
  if (result.kind !== 'failed') return result;
  const { rootDeviceHints } = status.provisioning;
  return { ...result, message: explainDeployFailure(result.message, rootDeviceHints, status.hardware?.storage) };
}

/** What the back end says of a refused download may hold the login that it was tried with. */
function sparing(provisioner: HostServices['provisioner'], login: string): HostServices['provisioner'] {
  if (login === '') return provisioner;
  const [username = '', ...rest] = login.split(':');
  const masks = [maskOf({ username, password: rest.join(':') }), maskOf({ username, password: login })];
  const mask = (text: string) => masks.reduceRight((masked, each) => each(masked), text);
  return discreet(provisioner, { mask: () => Promise.resolve(mask) });
}
