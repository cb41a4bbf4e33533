/** What a node is told about the image before it is deployed. Provisioner spec, section 7.7. */
import { imageChecksum, isLiveISO, type Image } from '../../apis/index.js';
import { ironicRootDevice } from '../../hardware/index.js';
import type { ProvisionData } from '../provisioner.js';
import { instanceCapabilities } from './capabilities.js';
import type { IronicConfig } from './config.js';
import { text, type IronicNode } from './node.js';
import { NodePatch, type Wish } from './patch.js';

type Wishes = Record<string, Wish>;
export type ImageData = Pick<ProvisionData, 'image' | 'customDeploy'> & Partial<Pick<ProvisionData, 'imagePullSecret'>>;

export function instancePatch(node: IronicNode, data: ProvisionData, hostUID: string, config: IronicConfig): NodePatch {
  const patch = new NodePatch();
  patch.field('instance_uuid', node.instanceUUID, hostUID);
  patch.section('instance_info', node.instanceInfo, {
    capabilities: instanceCapabilities(data.bootMode),
    root_device: ironicRootDevice(data.rootDeviceHints),
    ...imageWishes(data),
  });
  setDeployInterface(patch, node, data);
  const device = persistentBootDevice(data, config);
  if (device) patch.section('driver_info', node.driverInfo, { force_persistent_boot_device: device });
  return patch;
}

type Method = 'custom' | 'live-iso' | 'direct';

/** A custom deploy goes before a live ISO. */
export function methodOf(data: Pick<ProvisionData, 'image' | 'customDeploy'>): Method {
  if (data.customDeploy?.method) return 'custom';
  return isLiveISO(data.image) ? 'live-iso' : 'direct';
}

/** URL of the image that a node was told last; "" where it tells none. */
export function deployedImage({ instanceInfo }: Pick<IronicNode, 'instanceInfo'>): string {
  return text(instanceInfo.image_source) || text(instanceInfo.boot_iso);
}

/** What is said of the image in `instance_info`; undefined: the field is to be gone. */
export function imageWishes(data: ImageData): Wishes {
  const method = methodOf(data);
  if (method === 'live-iso') {
    return { boot_iso: data.image?.url, image_source: undefined, ...hash(undefined, undefined) };
  }
  return { boot_iso: undefined, ...diskImageWishes(data, method, data.image?.url ? data.image : undefined) };
}

function diskImageWishes(data: ImageData, method: Method, image: Image | undefined): Wishes {
  return {
    image_source: image?.url,
    ...(method === 'custom' ? customChecksum(image) : directChecksum(image)),
    image_disk_format: image?.format || undefined,
    image_pull_secret: image && (data.imagePullSecret || undefined),
  };
}

function directChecksum(image: Image | undefined): Wishes {
  const checksum = imageChecksum(image);
  if (checksum.kind !== 'checksum') return hash(undefined, undefined);
  if (checksum.type === '') return { ...hash(undefined, undefined), image_checksum: checksum.checksum };
  return hash(checksum.type, checksum.checksum);
}

/** The custom step is always given the pair, even where Ironic would have to tell the algorithm. */
function customChecksum(image: Image | undefined): Wishes {
  const checksum = image ? imageChecksum(image) : undefined;
  if (checksum === undefined || checksum.kind === 'invalid') return hash(undefined, undefined);
  return checksum.kind === 'none' ? hash('', '') : hash(checksum.type, checksum.checksum);
}

function hash(algorithm: string | undefined, value: string | undefined): Wishes {
  return { image_os_hash_algo: algorithm, image_os_hash_value: value, image_checksum: undefined };
}

/** Ironic takes that of a node at rest, not of one whose deployment has failed: it answers "not now" for ever. */
export function changesDeployInterface(node: IronicNode, data: ProvisionData): boolean {
  const patch = new NodePatch();
  setDeployInterface(patch, node, data);
  return !patch.isEmpty;
}

function setDeployInterface(patch: NodePatch, node: IronicNode, data: ProvisionData): void {
  const method = methodOf(data);
  if (method === 'direct') {
    if (['ramdisk', 'custom-agent'].includes(node.deployInterface)) patch.remove('deploy_interface');
    return;
  }
  patch.field('deploy_interface', node.deployInterface, method === 'custom' ? 'custom-agent' : 'ramdisk');
}

function persistentBootDevice(data: ProvisionData, config: IronicConfig): string | undefined {
  switch (methodOf(data)) {
    case 'custom':
      return undefined;
    case 'live-iso':
      return config.liveISOPersistentBootDevice;
    case 'direct':
      return config.directDeployPersistentBootDevice;
  }
}
