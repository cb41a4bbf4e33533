/** HardwareData: what inspection found, in an object of its own beside the host (host-lifecycle spec §6.6). */
import {
  finalizers,
  groupVersion,
  type HardwareData,
  type HardwareDetails,
  type ObjectMeta,
} from '../../apis/index.js';
import type { KubeApi, KubeObject, ObjectStore } from '../../kube/index.js';
import { keyOf, parseKey } from '../../kube/index.js';
import { hardwareDataKind, ownerOf } from './kinds.js';

export class HardwareDataStore {
  constructor(
    private readonly api: KubeApi,
    private readonly store: ObjectStore<KubeObject>,
  ) {}

  get(key: string): HardwareData | undefined {
    return this.store.get(key) as HardwareData | undefined;
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
