/** The objects of a host's own name that it goes by, as last seen; each kind has a store of its own. */
import {
  dataImageSchema,
  type DataImage,
  hostFirmwareComponentsSchema,
  type HostFirmwareComponents,
  hostFirmwareSettingsSchema,
  type HostFirmwareSettings,
  hostUpdatePolicySchema,
  type HostUpdatePolicy,
  preprovisioningImageSchema,
  type PreprovisioningImage,
} from '../../apis/index.js';
import type { KubeObject, ObjectStore } from '../../kube/index.js';

export interface CompanionStores {
  readonly settings: ObjectStore<KubeObject>;
  readonly components: ObjectStore<KubeObject>;
  readonly policies: ObjectStore<KubeObject>;
  readonly dataImages: ObjectStore<KubeObject>;
  /** Empty unless images are built. */
  readonly images: ObjectStore<KubeObject>;
}

/** Reads each version of an object once, however many passes look at it: settings of a BIOS are many. */
class Reading<T> {
  readonly #read = new WeakMap<KubeObject, T>();

  constructor(
    private readonly store: ObjectStore<KubeObject>,
    private readonly schema: { parse(object: unknown): unknown },
  ) {}

  get(key: string): T | undefined {
    const object = this.store.get(key);
    if (object === undefined) return undefined;
    const known = this.#read.get(object) ?? (this.schema.parse(object) as T);
    this.#read.set(object, known);
    return known;
  }
}

export class Companions {
  readonly settings: Reading<HostFirmwareSettings>;
  readonly components: Reading<HostFirmwareComponents>;
  readonly policies: Reading<HostUpdatePolicy>;
  readonly dataImages: Reading<DataImage>;
  readonly images: Reading<PreprovisioningImage>;

  constructor(readonly stores: CompanionStores) {
    this.settings = new Reading(stores.settings, hostFirmwareSettingsSchema);
    this.components = new Reading(stores.components, hostFirmwareComponentsSchema);
    this.policies = new Reading(stores.policies, hostUpdatePolicySchema);
    this.dataImages = new Reading(stores.dataImages, dataImageSchema);
    this.images = new Reading(stores.images, preprovisioningImageSchema);
  }
}
