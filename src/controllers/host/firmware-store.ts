/**
 * HostFirmwareSettings, HostFirmwareComponents and HostUpdatePolicy as the host controller keeps them: it makes the first two
 * where they are missing, makes all three go with the host, and notes in the components which updates have begun
 * (host-lifecycle spec §4 step 9, §6.5). What the machine has is written into them by their own controllers.
 */
import type { FirmwareObjects } from '../../../machines/index.js';
import { groupVersion, type ObjectMeta } from '../../apis/index.js';
import type { Clock } from '../../clock.js';
import { type KindRef, type KubeApi, type KubeObject, keyOf, type ObjectStore, parseKey } from '../../kube/index.js';
import type { FirmwareComponent } from '../../provisioner/index.js';
import type { Companions } from './companions.js';
import { belongsTo, firmwareComponentsKind, firmwareSettingsKind, ownerOf, updatePolicyKind } from './kinds.js';

/** Milliseconds until a host in the same state is asked again whether it has components. */
const askAgainMs = 600_000;
const maxRemembered = 20_000;

type Components = () => Promise<readonly FirmwareComponent[]>;

export class FirmwareStore {
  /** When a host without components was asked for them last, and in which state it was. */
  readonly #asked = new Map<string, { readonly state: string; readonly at: number }>();

  constructor(
    private readonly api: KubeApi,
    private readonly companions: Companions,
    private readonly clock: Clock,
  ) {}

  of(key: string, host: ObjectMeta, state: string): FirmwareObjects {
    const { settings, components, policies } = this.companions;
    const { stores } = this.companions;
    const isOwned = (store: ObjectStore<KubeObject>) => {
      const object = store.get(key);
      return object !== undefined && belongsTo(object, host);
    };
    const lacksComponents = stores.components.get(key) === undefined;
    const isIncomplete =
      !isOwned(stores.settings) ||
      (lacksComponents ? this.#mayAsk(host, state) : !isOwned(stores.components)) ||
      (stores.policies.get(key) !== undefined && !isOwned(stores.policies));
    return {
      settings: settings.get(key),
      components: components.get(key),
      policy: policies.get(key),
      isIncomplete,
    };
  }

  #mayAsk({ uid = '' }: ObjectMeta, state: string): boolean {
    const last = this.#asked.get(uid);
    return last === undefined || last.state !== state || this.clock.monotonic() - last.at >= askAgainMs;
  }

  /** Makes what is missing, and the host the owner of all. A host whose components cannot be read has none for now. */
  async claim(host: ObjectMeta, state: string, components: Components, signal?: AbortSignal): Promise<void> {
    const key = keyOf({ metadata: { name: host.name ?? '', namespace: host.namespace } });
    const { stores } = this.companions;
    const claim = (kind: KindRef, store: ObjectStore<KubeObject>) => this.#own(kind, store, key, host, signal);
    if (!(await claim(firmwareSettingsKind, stores.settings))) {
      await this.#create(firmwareSettingsKind, stores.settings, host, { settings: {} }, signal);
    }
    if (!(await claim(firmwareComponentsKind, stores.components)) && (await this.#hasAny(host, state, components))) {
      await this.#create(firmwareComponentsKind, stores.components, host, { updates: [] }, signal);
    }
    await claim(updatePolicyKind, stores.policies);
  }

  async #hasAny(host: ObjectMeta, state: string, components: Components): Promise<boolean> {
    if (!this.#mayAsk(host, state)) return false;
    const found = await components().catch(() => []);
    const { uid = '' } = host;
    this.#asked.delete(uid);
    if (found.length > 0) return true;
    this.#asked.set(uid, { state, at: this.clock.monotonic() });
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > maxRemembered && oldest !== undefined) this.#asked.delete(oldest);
    return false;
  }

  async #create(
    kind: KindRef,
    store: ObjectStore<KubeObject>,
    { name = '', namespace = '', uid }: ObjectMeta,
    spec: object,
    signal?: AbortSignal,
  ): Promise<void> {
    const metadata = { name, namespace, ownerReferences: [ownerOf({ name, uid })] };
    store.put(
      await this.api.create(kind, { apiVersion: groupVersion, kind: kind.kind, metadata, spec }, signal),
      'write',
    );
  }

  /** False: there is no such object. */
  async #own(
    kind: KindRef,
    store: ObjectStore<KubeObject>,
    key: string,
    host: ObjectMeta,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const object = store.get(key);
    if (object === undefined) return false;
    if (belongsTo(object, host)) return true;
    const { resourceVersion, ownerReferences = [] } = object.metadata;
    const others = ownerReferences.filter(({ uid }) => uid !== host.uid);
    const metadata = { resourceVersion, ownerReferences: [...others, ownerOf(host)] };
    store.put(await this.api.patch(kind, parseKey(key), { metadata }, { signal }), 'write');
    return true;
  }

  /** The updates that are wished for have begun; the versions are read anew beside. */
  async recordUpdates(key: string, components: Components, signal?: AbortSignal): Promise<void> {
    const object = this.companions.components.get(key);
    if (object === undefined) return;
    await this.#patchStatus(key, { updates: object.spec.updates, components: await components() }, signal);
  }

  /** They have failed: they are to begin again. */
  async forgetUpdates(key: string, signal?: AbortSignal): Promise<void> {
    await this.#patchStatus(key, { updates: null }, signal);
  }

  async #patchStatus(key: string, status: object, signal?: AbortSignal): Promise<void> {
    const options = { subresource: 'status', signal } as const;
    const written = await this.api.patch<KubeObject>(firmwareComponentsKind, parseKey(key), { status }, options);
    this.companions.stores.components.put(written, 'write');
  }
}
