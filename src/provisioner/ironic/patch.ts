/** JSON patches for a node, from wishes: only what differs is sent. Rules: provisioner spec, "JSON-patch builder". */
import { isDeepStrictEqual } from 'node:util';
import type { JSONRecord, PatchOperation } from './client/index.js';

/** undefined: the field is to be gone. */
export type Wish = unknown;

export class NodePatch {
  readonly #operations: PatchOperation[] = [];

  /** The operations, in the order of the calls. */
  get operations(): readonly PatchOperation[] {
    return this.#operations;
  }

  get isEmpty(): boolean {
    return this.#operations.length === 0;
  }

  /** Members of `/driver_info`, `/properties` and the like: a wish of undefined removes what is there. */
  section(name: string, current: JSONRecord, wishes: Readonly<Record<string, Wish>>): this {
    for (const [key, wish] of Object.entries(wishes)) {
      const path = `/${name}/${pointer(key)}`;
      const present = Object.hasOwn(current, key);
      if (wish === undefined) {
        if (present) this.#operations.push({ op: 'remove', path });
      } else if (!present || !isDeepStrictEqual(plain(current[key]), plain(wish))) {
        this.#operations.push({ op: 'add', path, value: wish });
      }
    }
    return this;
  }

  /** A field of the node itself. */
  field(name: string, current: unknown, wish: unknown): this {
    if (!isDeepStrictEqual(plain(current), plain(wish))) {
      this.#operations.push({ op: 'add', path: `/${name}`, value: wish });
    }
    return this;
  }

  /** Removes a field of the node itself; the caller knows that it is set. */
  remove(name: string): this {
    this.#operations.push({ op: 'remove', path: `/${name}` });
    return this;
  }
}

const pointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** As JSON would carry it, so that prototypes and undefined members make no difference. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
