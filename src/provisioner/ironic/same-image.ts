/** Whether a node was last told to deploy what is wished for now. Pure. Provisioner spec, section 7.8. */
import { imageChecksum } from '../../apis/index.js';
import type { ProvisionData } from '../provisioner.js';
import { imageWishes, methodOf } from './instance-settings.js';
import type { IronicNode } from './node.js';

type Wished = Pick<ProvisionData, 'image' | 'customDeploy'>;

/**
 * The method of a custom deploy leaves no trace on a node: it is told with the command. Without an image, any custom deploy
 * counts as the one that is wished for; another one is tried once this failure was told.
 */
export function isSameImage(node: Pick<IronicNode, 'instanceInfo' | 'deployInterface'>, data: Wished): boolean {
  const method = methodOf(data);
  if ((method === 'custom') !== (node.deployInterface === 'custom-agent')) return false;
  const wishes: Readonly<Record<string, unknown>> = imageWishes(data);
  return tellingKeys(data).every((key) => textOf(wishes[key]) === textOf(node.instanceInfo[key]));
}

/** What Ironic may work out by itself tells nothing: the digest of an OCI image, the algorithm of an untyped checksum. */
function tellingKeys(data: Wished): readonly string[] {
  const method = methodOf(data);
  if (method === 'live-iso') return ['boot_iso'];
  const checksum = imageChecksum(data.image);
  if (checksum.kind !== 'checksum') return ['image_source'];
  if (checksum.type !== '') return ['image_source', 'image_checksum', 'image_os_hash_algo', 'image_os_hash_value'];
  return ['image_source', method === 'custom' ? 'image_os_hash_value' : 'image_checksum'];
}

/** What is not there, what is null and what is empty mean the same to Ironic. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
