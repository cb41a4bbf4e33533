/** Hosts as their schema reads them. An object in the store never changes, so each version is read once. */
import { bareMetalHostSchema, type BareMetalHost } from '../../apis/index.js';
import type { KubeObject } from '../../kube/index.js';

export class HostReading {
  readonly #read = new WeakMap<KubeObject, BareMetalHost>();

  constructor(private readonly objects: () => Iterable<KubeObject>) {}

  hosts(): BareMetalHost[] {
    return [...this.objects()].map((object) => this.#host(object));
  }

  #host(object: KubeObject): BareMetalHost {
    const known = this.#read.get(object);
    if (known !== undefined) return known;
    const host = bareMetalHostSchema.parse(object) as BareMetalHost;
    this.#read.set(object, host);
    return host;
  }
}
