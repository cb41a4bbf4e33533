/** Who makes the agent images that hosts ask for. */
import { deployImages } from '../config/deploy-images.js';
import type { Environment } from '../config/ironic.js';
import { FixedImageProvider, type ImageProvider, makesImages } from '../controllers/preprovisioning-image/index.js';
import type { Log } from '../observability/log.js';
import type { OperatorSettings } from './operator.js';

/** The images that the environment names. Undefined: it names none, so that somebody else makes them; or nobody is to. */
export function imageProviderOf(
  { buildsImages }: Pick<OperatorSettings, 'buildsImages'>,
  environment: Environment,
  log: Pick<Log, 'info'>,
): ImageProvider | undefined {
  if (buildsImages !== true) return undefined;
  const provider = new FixedImageProvider((architecture) => deployImages(environment, architecture));
  if (makesImages(provider)) return provider;
  log.info({}, 'no DEPLOY_ISO_URL, and no DEPLOY_KERNEL_URL with DEPLOY_RAMDISK_URL: agent images are left to others');
  return undefined;
}
