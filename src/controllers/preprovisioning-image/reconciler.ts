/** PreprovisioningImage: has the agent image made that the host controller asks for, and says where it is. */
import {
  finalizers,
  groupVersion,
  kinds,
  type PreprovisioningImage,
  preprovisioningImageSchema,
  type PreprovisioningImageStatus,
} from '../../apis/index.js';
import { type Clock, timestamp } from '../../clock.js';
import { type Decision, type KubeApi, type KubeObject, type ObjectStore } from '../../kube/index.js';
import { type SecretObject, type SecretStore, secretValue } from '../../kube/index.js';
import { after, attempt, type AttemptLog, done } from '../attempt.js';
import { ObjectKeeper } from '../object-keeper.js';
import type { ImageProvider, ImageRequest, NetworkData } from './image-provider.js';
import {
  builtStatus,
  configOf,
  type ImageConfig,
  type ImageStep,
  lookForSecretMs,
  type Moment,
  nextStep,
  reconfiguredStatus,
  refusedStatus,
  withdrawnStatus,
} from './step.js';

export const preprovisioningImageController = 'preprovisioningimage';

/** Milliseconds until an image that is being made is asked for again. */
const notReadyMs = 10_000;
/** From a made image of one configuration to that of another there are three steps. */
const mostSteps = 5;

export interface PreprovisioningImageParts {
  readonly api: KubeApi;
  readonly images: ObjectStore<KubeObject>;
  readonly secrets: Pick<SecretStore, 'acquire'>;
  readonly provider: ImageProvider;
  readonly clock: Clock;
  readonly log: AttemptLog;
}

/** What a step is taken on. */
interface Scene {
  readonly object: KubeObject;
  readonly image: PreprovisioningImage;
  readonly status: PreprovisioningImageStatus;
  readonly moment: Moment;
  readonly signal: AbortSignal;
}

/** `next`: the step is saved, and the next one follows at once. */
type Outcome = Decision | 'next';

export class PreprovisioningImageReconciler {
  readonly #keeper: ObjectKeeper;

  constructor(private readonly parts: PreprovisioningImageParts) {
    this.#keeper = new ObjectKeeper(parts.api, parts.images, kinds.preprovisioningImage);
  }

  reconcile(key: string, signal: AbortSignal): Promise<Decision> {
    const { log } = this.parts;
    return attempt({ controller: preprovisioningImageController, key, log, signal }, () => this.#steps(key, signal));
  }

  /** Each step is saved, so that whoever watches sees the old image withdrawn before it is discarded. */
  async #steps(key: string, signal: AbortSignal): Promise<Decision> {
    for (let steps = 0; steps < mostSteps; steps += 1) {
      const object = this.parts.images.get(key);
      if (object === undefined) return done;
      const outcome = await this.#pass(object, signal);
      if (outcome !== 'next') return outcome;
    }
    return { kind: 'backoff' };
  }

  async #pass(object: KubeObject, signal: AbortSignal): Promise<Outcome> {
    if (object.metadata.deletionTimestamp !== undefined) return this.#end(object, signal);
    const held = await this.#keeper.hold(object, { finalizer: finalizers.preprovisioningImage }, signal);
    const scene = this.#sceneOf(held, signal);
    const secret = await this.#secretOf(scene);
    const source =
      secret === undefined || secret === 'missing'
        ? ({ kind: secret ?? 'none' } as const)
        : { kind: 'found' as const, version: secret.metadata.resourceVersion ?? '' };
    const step = nextStep(scene.image.spec, scene.status, source, this.parts.provider);
    return this.#take(scene, step, secret === 'missing' ? undefined : secret);
  }

  #sceneOf(object: KubeObject, signal: AbortSignal): Scene {
    const image = preprovisioningImageSchema.parse(object) as PreprovisioningImage;
    const moment = { generation: image.metadata.generation, now: timestamp(this.parts.clock.now()) };
    return { object, image, status: image.status ?? {}, moment, signal };
  }

  #take(scene: Scene, step: ImageStep, secret: SecretObject | undefined): Promise<Outcome> {
    switch (step.kind) {
      case 'refuse':
        return this.#refuse(scene, step);
      case 'withdraw':
        return this.#next(scene, withdrawnStatus(scene.status, scene.moment));
      case 'reconfigure':
        return this.#reconfigure(scene, step.config);
      case 'build':
        return this.#build(scene, step.config, secret);
    }
  }

  async #refuse(scene: Scene, step: Extract<ImageStep, { kind: 'refuse' }>): Promise<Decision> {
    await this.#save(scene, refusedStatus(scene.status, step, scene.moment));
    if (step.reason !== 'MissingNetworkData') return done;
    return after(lookForSecretMs(scene.status.conditions, this.parts.clock.now()));
  }

  async #reconfigure(scene: Scene, config: ImageConfig): Promise<Outcome> {
    await this.#discard(scene);
    return this.#next(scene, reconfiguredStatus(scene.status, config, scene.moment));
  }

  async #build(scene: Scene, config: ImageConfig, secret: SecretObject | undefined): Promise<Decision> {
    const request = requestOf(scene.object, config);
    const answer = await this.parts.provider.build(request, contentOf(secret), scene.signal);
    await this.#save(scene, builtStatus(scene.status, answer, scene.moment));
    return answer.kind === 'notReady' ? after(notReadyMs) : done;
  }

  async #next(scene: Scene, status: PreprovisioningImageStatus): Promise<'next'> {
    await this.#save(scene, status);
    return 'next';
  }

  async #save({ object, signal }: Scene, status: PreprovisioningImageStatus): Promise<void> {
    await this.#keeper.saveStatus(object, status, {}, signal);
  }

  /** The Secret comes to belong to the image: by that its changes are noticed. Undefined: none is asked for. */
  async #secretOf({ object, image, signal }: Scene): Promise<SecretObject | 'missing' | undefined> {
    const { networkDataName: name = '' } = image.spec;
    if (name === '') return undefined;
    const { metadata } = object;
    const { preprovisioningImage: kind } = kinds;
    const owner = { apiVersion: groupVersion, kind: kind.kind, name: metadata.name, uid: metadata.uid ?? '' };
    const key = { namespace: metadata.namespace ?? '', name };
    return (await this.parts.secrets.acquire(key, { owner }, signal)) ?? 'missing';
  }

  /** Others hold on to it as long as it is in use. */
  async #end(object: KubeObject, signal: AbortSignal): Promise<Decision> {
    const others = (object.metadata.finalizers ?? []).filter((name) => name !== finalizers.preprovisioningImage);
    if (others.length > 0) return done;
    await this.#discard(this.#sceneOf(object, signal));
    await this.#keeper.release(object, finalizers.preprovisioningImage, signal);
    return done;
  }

  async #discard({ object, status, signal }: Scene): Promise<void> {
    const config = configOf(status);
    if (config !== undefined) await this.parts.provider.discard(requestOf(object, config), signal);
  }
}

function requestOf({ metadata }: KubeObject, config: ImageConfig): ImageRequest {
  const { namespace = '', name, uid = '', labels = {}, annotations = {} } = metadata;
  return { metadata: { namespace, name, uid, labels: { ...labels }, annotations: { ...annotations } }, ...config };
}

function contentOf(secret: SecretObject | undefined): NetworkData {
  if (secret === undefined) return {};
  return Object.fromEntries(Object.keys(secret.data ?? {}).map((key) => [key, secretValue(secret, key) ?? '']));
}
