/** DataImages as the host controller keeps them: what came of attaching and detaching (host-lifecycle spec §6.7). */
import type { DataImageObserved } from '../../../machines/index.js';
import type { DataImageStatus } from '../../apis/index.js';
import { type Clock, type Random, timestamp } from '../../clock.js';
import { type KubeApi, type KubeObject, parseKey } from '../../kube/index.js';
import { backoffMs } from './backoff.js';
import type { Companions } from './companions.js';
import { dataImageKind } from './kinds.js';

/** Least pause, milliseconds, before the drive is looked at again. */
const leastMs = 30_000;

export class DataImageStore {
  constructor(
    private readonly api: KubeApi,
    private readonly companions: Companions,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  of(key: string): DataImageObserved | undefined {
    const object = this.companions.dataImages.get(key);
    if (object === undefined) return undefined;
    const failures = object.status?.error?.count ?? 0;
    return { object, retryMs: Math.max(leastMs, backoffMs(failures, this.random)) };
  }

  async record(key: string, news: Partial<DataImageStatus>, signal?: AbortSignal): Promise<void> {
    const status = { ...news, lastReconciled: timestamp(this.clock.now()) };
    const options = { subresource: 'status', signal } as const;
    const written = await this.api.patch<KubeObject>(dataImageKind, parseKey(key), { status }, options);
    this.companions.stores.dataImages.put(written, 'write');
  }
}
