/**
 * Secrets: read at use and never kept. A Secret that Ironchart works with is claimed: the label by which the watch finds it
 * (so that its change is noticed), an owner reference for garbage collection, and a finalizer while the host still needs it
 * (host-lifecycle spec §8.1).
 */
import type { KubeApi } from './api.js';
import { type KubeObject, type ObjectKey, type OwnerRef, secretKind } from './kinds.js';

/** The label that puts a Secret into the watch. */
export const secretLabel = { key: 'environment.metal3.io', value: 'baremetal' } as const;

export interface SecretObject extends KubeObject {
  readonly type?: string;
  readonly immutable?: boolean;
  /** Values in base64. */
  readonly data?: Readonly<Record<string, string>>;
}

export interface Claim {
  readonly owner?: OwnerRef;
  readonly finalizer?: string;
}

export class SecretStore {
  /** Versions that our own claims have made: their echo in the watch is no news. */
  readonly #own = new Set<string>();

  constructor(private readonly api: KubeApi) {}

  isOwnWrite(secret: KubeObject): boolean {
    return this.#own.has(versionKey(secret));
  }

  async read(key: ObjectKey, signal?: AbortSignal): Promise<SecretObject | undefined> {
    return this.api.get<SecretObject>(secretKind, key, signal);
  }

  /** Reads a Secret and claims it in at most one write. Undefined when it does not exist. */
  async acquire(key: ObjectKey, claim: Claim, signal?: AbortSignal): Promise<SecretObject | undefined> {
    const secret = await this.read(key, signal);
    if (secret === undefined) return undefined;
    const change = claimPatch(secret, claim);
    return change === undefined ? secret : this.#patch(secret, change, signal);
  }

  /** Lets a Secret go, if it exists and still carries the finalizer. */
  async release(key: ObjectKey, finalizer: string, signal?: AbortSignal): Promise<void> {
    const secret = await this.read(key, signal);
    const finalizers = secret?.metadata.finalizers ?? [];
    if (secret === undefined || !finalizers.includes(finalizer)) return;
    await this.#patch(secret, { finalizers: finalizers.filter((name) => name !== finalizer) }, signal);
  }

  /** Puts values (in base64; null takes one away) into a Secret and claims it, in at most one write. */
  async fill(
    secret: SecretObject,
    values: Readonly<Record<string, string | null>>,
    signal?: AbortSignal,
  ): Promise<SecretObject> {
    const change = claimPatch(secret, {});
    const news = Object.entries(values).filter(([key, value]) => (secret.data?.[key] ?? null) !== value);
    if (change === undefined && news.length === 0) return secret;
    return this.#patch(secret, change ?? {}, signal, news.length === 0 ? {} : { data: Object.fromEntries(news) });
  }

  async #patch(secret: SecretObject, change: object, signal?: AbortSignal, more: object = {}): Promise<SecretObject> {
    const { name, namespace = '', resourceVersion } = secret.metadata;
    const patch = { metadata: { ...change, resourceVersion }, ...more };
    const written = await this.api.patch<SecretObject>(secretKind, { namespace, name }, patch, { signal });
    this.#own.add(versionKey(written));
    if (this.#own.size > 10_000) this.#own.delete(this.#own.values().next().value as string);
    return written;
  }
}

function versionKey({ metadata }: KubeObject): string {
  return `${metadata.uid}@${metadata.resourceVersion}`;
}

/** The metadata to change, or undefined when the claim stands already. Pure. */
export function claimPatch({ metadata }: KubeObject, { owner, finalizer }: Claim): object | undefined {
  const change: Record<string, unknown> = {};
  if (metadata.labels?.[secretLabel.key] === undefined) change.labels = { [secretLabel.key]: secretLabel.value };
  const owners = metadata.ownerReferences ?? [];
  if (owner !== undefined && !owners.some((ref) => ref.uid === owner.uid && ref.controller === undefined)) {
    const { apiVersion, kind, name, uid } = owner;
    change.ownerReferences = [...owners.filter((ref) => ref.uid !== uid), { apiVersion, kind, name, uid }];
  }
  const finalizers = metadata.finalizers ?? [];
  if (finalizer !== undefined && !finalizers.includes(finalizer)) change.finalizers = [...finalizers, finalizer];
  return Object.keys(change).length === 0 ? undefined : change;
}

/** One value in clear text, undefined when the key is absent. An empty value counts as present. */
export function secretValue(secret: SecretObject, key: string): string | undefined {
  const value = secret.data?.[key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8');
}
