/** HardwareData: what inspection found, in an object of its own beside the host (host-lifecycle spec §6.6). */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { finalizers, groupVersion, type HardwareDetails, type ObjectMeta } from '../../apis/index.js';
import type { KubeApi, KubeObject, ObjectStore } from '../../kube/index.js';
import { keyOf, parseKey } from '../../kube/index.js';
import { hardwareDataKind, ownerOf } from './kinds.js';

/**
 * For the store of HardwareData, which are read seldom and are large: what the operator goes by in their metadata, and the
 * hardware compressed, which takes a fifth of what its objects do. A string, for a buffer would hold on to the larger one that it
 * was made in.
 */
export function withPackedHardware(object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, finalizers: held } = object.metadata;
  const { hardware } = (object.spec ?? {}) as { hardware?: HardwareDetails };
  return {
    metadata: { name, namespace, uid, resourceVersion, finalizers: held } as KubeObject['metadata'],
    ...(hardware === undefined ? {} : { packed: pack(hardware), architecture: hardware.cpu?.arch }),
  };
}

function pack(hardware: HardwareDetails): string {
  return deflateRawSync(JSON.stringify(hardware)).toString('latin1');
}

function unpack(packed: string): HardwareDetails {
  return JSON.parse(inflateRawSync(Buffer.from(packed, 'latin1')).toString('utf8')) as HardwareDetails;
}

export class HardwareDataStore {
  /** @param store filled by `withPackedHardware` */
  constructor(
    private readonly api: KubeApi,
    private readonly store: ObjectStore<KubeObject>,
  ) {}

  /** A copy for whoever asks. Undefined: nothing is recorded. */
  hardware(key: string): HardwareDetails | undefined {
    const packed = this.store.get(key)?.packed;
    return typeof packed === 'string' ? unpack(packed) : undefined;
  }

  /** Of the processor; "" when it is not recorded. */
  architecture(key: string): string {
    const architecture = this.store.get(key)?.architecture;
    return typeof architecture === 'string' ? architecture : '';
  }

  /** The operator's hold on the object ends with its host. */
  async release(key: string, signal?: AbortSignal): Promise<void> {
    const held = this.store.get(key);
    const names = held?.metadata.finalizers ?? [];
    if (held === undefined || !names.includes(finalizers.hardwareData)) return;
    const { resourceVersion } = held.metadata;
    const metadata = { resourceVersion, finalizers: names.filter((name) => name !== finalizers.hardwareData) };
    this.store.put(await this.api.patch(hardwareDataKind, parseKey(key), { metadata }, { signal }), 'write');
  }

  /** Puts new details in the place of old ones; for a host that is being deleted the old ones only go. */
  async replace(metadata: ObjectMeta, hardware: HardwareDetails, signal?: AbortSignal): Promise<void> {
    const key = keyOf({ metadata: { name: metadata.name ?? '', namespace: metadata.namespace } });
    if (this.store.get(key) !== undefined) {
      await this.release(key, signal);
      await this.api.delete(hardwareDataKind, parseKey(key));
    }
    if (metadata.deletionTimestamp !== undefined) return;
    const created = await this.api.create(
      hardwareDataKind,
      {
        apiVersion: groupVersion,
        kind: 'HardwareData',
        metadata: {
          ...parseKey(key),
          finalizers: [finalizers.hardwareData],
          ownerReferences: [ownerOf(metadata, true)],
        },
        spec: { hardware },
      },
      signal,
    );
    this.store.put(created, 'write');
  }
}
