/** PreprovisioningImages as the host controller keeps them: it asks for them, others build them (host-lifecycle spec §7). */
import type { ImageActorInput } from '../../../machines/index.js';
import {
  finalizers,
  groupVersion,
  type ObjectMeta,
  type PreprovisioningImage,
  type PreprovisioningImageSpec,
} from '../../apis/index.js';
import { type KubeApi, type KubeObject, parseKey } from '../../kube/index.js';
import type { Companions } from './companions.js';
import { ownerOf, preprovisioningImageKind as kind } from './kinds.js';

const held = finalizers.preprovisioningImageOfHost;

export class PreprovisioningImageStore {
  constructor(
    private readonly api: KubeApi,
    private readonly companions: Companions,
  ) {}

  of(key: string): PreprovisioningImage | undefined {
    return this.companions.images.get(key);
  }

  /** With the host's labels: by them its builders find what else belongs to it. */
  async create(host: ObjectMeta, spec: PreprovisioningImageSpec, signal?: AbortSignal): Promise<void> {
    const { name = '', namespace = '', labels } = host;
    const metadata = { name, namespace, labels, finalizers: [held], ownerReferences: [ownerOf(host, true)] };
    const object = { apiVersion: groupVersion, kind: kind.kind, metadata, spec };
    this.companions.stores.images.put(await this.api.create(kind, object, signal), 'write');
  }

  async update(key: string, change: ImageActorInput['change'], signal?: AbortSignal): Promise<void> {
    const known = this.companions.stores.images.get(key);
    const { resourceVersion } = known?.metadata ?? {};
    const { spec, ...metadata } = change;
    // A spec is replaced whole: what is no longer asked for has to be named.
    const replaced = spec === undefined ? {} : { spec: { networkDataName: null, ...spec } };
    const patch = { metadata: { ...metadata, resourceVersion }, ...replaced };
    const written = await this.api.patch<KubeObject>(kind, parseKey(key), patch, { signal });
    this.companions.stores.images.put(written, 'write');
  }

  /** The host goes, and its hold on the image with it. Asked of the server: whether images are watched may have changed. */
  async release(key: string, signal?: AbortSignal): Promise<void> {
    const object = await this.api.get<KubeObject>(kind, parseKey(key), signal);
    const names = object?.metadata.finalizers ?? [];
    if (object === undefined || !names.includes(held)) return;
    const { resourceVersion } = object.metadata;
    const metadata = { resourceVersion, finalizers: names.filter((name) => name !== held) };
    await this.api.patch(kind, parseKey(key), { metadata }, { signal });
  }
}
