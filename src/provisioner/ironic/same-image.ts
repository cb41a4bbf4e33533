/** Whether a node was last told to deploy what is wished for now. Pure. Provisioner spec, section 7.8. */
import { imageChecksum, isLiveISO, isOCI } from '../../apis/index.js';
import type { ProvisionData } from '../provisioner.js';
import type { JSONRecord } from './client/index.js';
import type { IronicNode } from './node.js';

export function isSameImage(node: Pick<IronicNode, 'instanceInfo'>, { image }: Pick<ProvisionData, 'image'>): boolean {
  const info = node.instanceInfo;
  const url = image?.url ?? '';
  if (isLiveISO(image)) return info.boot_iso === url;
  if (info.image_source !== url) return false;
  const checksum = imageChecksum(image);
  return checksum.kind === 'checksum' ? isSameChecksum(info, checksum) : isOCI(image) && checksum.kind === 'none';
}

function isSameChecksum(info: JSONRecord, { checksum, type }: { checksum: string; type: string }): boolean {
  const { image_checksum, image_os_hash_algo, image_os_hash_value } = info;
  if (type === '') return image_checksum === checksum && isUnset(image_os_hash_algo, image_os_hash_value);
  return isUnset(image_checksum) && image_os_hash_algo === type && image_os_hash_value === checksum;
}

const isUnset = (...values: unknown[]) => values.every((value) => value === undefined || value === null);
