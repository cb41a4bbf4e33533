/** Tells of machines that a back end keeps for hosts that are gone. They are never touched: a person may still want them. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock, Timer } from '../../clock.js';
import { messageOf } from '../../errors.js';
import type { Controller } from '../controller.js';
import { type HostView, seenTwice, withoutHost } from './comparison.js';

/** Milliseconds between looks. */
export const lookEveryMs = 10 * 60_000;
/** Milliseconds until what is suspected, or could not be looked at, is looked at again. */
export const lookAgainMs = 60_000;
/** How many names one line of the log may hold. */
const mostNames = 50;

export interface OrphanLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface OrphanParts {
  readonly hosts: HostView;
  /** One look at the back end: keys of all hosts that it has a machine for. */
  readonly look: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly log: OrphanLog;
}

export class OrphanController implements Controller {
  readonly name = 'orphans';
  #suspects: readonly string[] = [];
  #orphans: readonly string[] = [];
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(private readonly parts: OrphanParts) {}

  /** How many there are, as was told last. */
  get count(): number {
    return this.#orphans.length;
  }

  start(): void {
    void this.#look();
  }

  /** A look that is under way is of no use any more, and not waited for. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    return Promise.resolve();
  }

  async #look(): Promise<void> {
    const nextMs = await this.#compare();
    if (this.#isStopped) return;
    this.#timer = this.parts.clock.after(nextMs, () => void this.#look());
  }

  /** @returns milliseconds until the next look */
  async #compare(): Promise<number> {
    const { hosts, look, log } = this.parts;
    try {
      const found = withoutHost(await look(), hosts);
      if (this.#isStopped) return lookEveryMs;
      const orphans = seenTwice(this.#suspects, found);
      this.#suspects = found;
      if (!isDeepStrictEqual(orphans, this.#orphans)) this.#tell(orphans);
      return orphans.length === found.length ? lookEveryMs : lookAgainMs;
    } catch (error) {
      // Hosts tell of a back end that is away.
      log.debug({ controller: this.name, error: messageOf(error) }, 'no look at the machines without a host');
      return lookAgainMs;
    }
  }

  #tell(orphans: readonly string[]): void {
    this.#orphans = orphans;
    const fields = { controller: this.name, count: orphans.length };
    if (orphans.length === 0) {
      this.parts.log.info(fields, 'every machine of the back end has its host again');
      return;
    }
    this.parts.log.warn(
      { ...fields, hosts: orphans.slice(0, mostNames) },
      'the back end keeps machines for hosts that are gone; nothing is done to them. To take one back, make its BareMetalHost ' +
        'again, under the same namespace and name; to give it up, delete its node NAMESPACE~NAME in Ironic',
    );
  }
}
