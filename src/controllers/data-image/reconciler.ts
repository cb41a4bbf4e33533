/**
 * DataImage: belongs to its host, and goes only when the host's virtual drive is empty. The host controller attaches and
 * detaches it, at a reboot; here the drive is only looked into.
 */
import { type DataImage, dataImageSchema, finalizers, kinds } from '../../apis/index.js';
import type { Clock } from '../../clock.js';
import { messageOf } from '../../errors.js';
import { type Decision, type KubeApi, keyOf, type KubeObject, type ObjectStore } from '../../kube/index.js';
import { NodeIsBusy, ProvisionerNotReady, type ProvisionerFactory } from '../../provisioner/index.js';
import { after, attempt, type AttemptLog, done } from '../attempt.js';
import { clipped } from '../conditions.js';
import { type HostView, hostOf, ownerRefOf, provisionerOf } from '../host-view.js';
import { attendMissingHost, missingHost } from '../missing-host.js';
import { ObjectKeeper } from '../object-keeper.js';
import { approachTo, noted } from './approach.js';

export const dataImageController = 'dataimage';

/** Milliseconds until a drive that could not be looked into is tried again. */
const lookAgainMs = 30_000;
/** Milliseconds until a drive that has to become empty is looked into again: a person has to reboot the host. */
const stillAttachedMs = 60_000;

export interface DataImageParts {
  readonly api: KubeApi;
  readonly images: ObjectStore<KubeObject>;
  readonly hosts: ObjectStore<KubeObject>;
  readonly provisioners: ProvisionerFactory;
  readonly clock: Clock;
  readonly log: AttemptLog;
}

type Look = { readonly kind: 'attached' | 'empty' | 'busy' } | { readonly kind: 'failed'; readonly message: string };

export class DataImageReconciler {
  readonly #keeper: ObjectKeeper;

  constructor(private readonly parts: DataImageParts) {
    this.#keeper = new ObjectKeeper(parts.api, parts.images, kinds.dataImage);
  }

  reconcile(key: string, signal: AbortSignal): Promise<Decision> {
    return attempt({ controller: dataImageController, key, log: this.parts.log, signal }, () =>
      this.#pass(key, signal),
    );
  }

  async #pass(key: string, signal: AbortSignal): Promise<Decision> {
    const object = this.parts.images.get(key);
    if (object === undefined) return done;
    const host = hostOf(this.parts.hosts, key);
    const isDeleting = object.metadata.deletionTimestamp !== undefined;
    const approach = approachTo(isDeleting, host);
    if (host === undefined) return this.#missHost(object, signal);
    if (approach === 'release') return this.#release(object, signal);
    const held = await this.#greet(await this.#hold(object, key, host, isDeleting, signal), signal);
    if (approach === 'rest') return done;
    const look = await this.#look(key, host, signal);
    return this.#conclude(held, look, isDeleting, signal);
  }

  /** Should a host come, that brings this image into the queue. */
  async #missHost(object: KubeObject, signal: AbortSignal): Promise<Decision> {
    await this.#release(object, signal);
    return attendMissingHost(object, this.parts.clock.now(), async () => {
      const fresh = this.#keeper.store.get(keyOf(object));
      if (fresh === undefined) return;
      const { status } = dataImageSchema.parse(fresh) as DataImage;
      await this.#keeper.saveStatus(fresh, { ...status, error: { count: 1, message: missingHost } }, {}, signal);
    });
  }

  /** What was said while there was no host. */
  async #greet(object: KubeObject, signal: AbortSignal): Promise<KubeObject> {
    const { status } = dataImageSchema.parse(object) as DataImage;
    if (status?.error?.message !== missingHost) return object;
    return this.#keeper.saveStatus(object, { ...status, error: { count: 0, message: '' } }, {}, signal);
  }

  /** A paused host's image is left as it is. */
  async #hold(
    object: KubeObject,
    key: string,
    host: HostView,
    isDeleting: boolean,
    signal: AbortSignal,
  ): Promise<KubeObject> {
    if (host.isPaused) return object;
    const finalizer = isDeleting ? {} : { finalizer: finalizers.dataImage };
    return this.#keeper.hold(object, { owner: ownerRefOf(key, host), ...finalizer }, signal);
  }

  async #release(object: KubeObject, signal: AbortSignal): Promise<Decision> {
    await this.#keeper.release(object, finalizers.dataImage, signal);
    return done;
  }

  async #look(key: string, host: HostView, signal: AbortSignal): Promise<Look> {
    try {
      const provisioner = await provisionerOf(this.parts.provisioners, key, host, signal);
      return { kind: (await provisioner.dataImageAttached()) ? 'attached' : 'empty' };
    } catch (error) {
      if (signal.aborted || error instanceof ProvisionerNotReady) throw error;
      return error instanceof NodeIsBusy ? { kind: 'busy' } : { kind: 'failed', message: clipped(messageOf(error)) };
    }
  }

  async #conclude(object: KubeObject, look: Look, isDeleting: boolean, signal: AbortSignal): Promise<Decision> {
    if (look.kind === 'busy') return after(lookAgainMs);
    const { status } = dataImageSchema.parse(object) as DataImage;
    const error = noted(status?.error, look.kind === 'failed' ? look.message : undefined);
    const current =
      error === undefined ? object : await this.#keeper.saveStatus(object, { ...status, error }, {}, signal);
    if (look.kind === 'failed') return after(lookAgainMs);
    if (!isDeleting) return done;
    return look.kind === 'attached' ? after(stillAttachedMs) : this.#release(current, signal);
  }
}
