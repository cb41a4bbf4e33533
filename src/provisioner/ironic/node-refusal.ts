/** Why Ironic answers a command with "not now" (409), for people: mostly somebody holds the lock of the node. Pure. */
import type { IronicError } from './client/index.js';
import type { IronicNode } from './node.js';

export interface Refusal {
  /** The same for one lock, or for one kind of refusal, however often it is met. */
  readonly what: string;
  /** In words, given since when. */
  readonly tell: (since: string) => string;
}

/** Characters of a conductor's name, and of Ironic's words, that are passed on. */
const longest = { name: 100, words: 250 } as const;

/** Ironic names who holds the lock; where it does not, the node does, as it was read before the command. */
export function refusalOf({ reservation }: Pick<IronicNode, 'reservation'>, error: IronicError): Refusal {
  const holder = error.lockedBy ?? reservation;
  if (holder === '') {
    const words = (error.words || error.message).slice(0, longest.words);
    return { what: 'refused', tell: (since) => `Ironic to take what it refuses at least since ${since}: ${words}` };
  }
  const conductor = JSON.stringify(holder.slice(0, longest.name));
  return {
    what: `locked by ${conductor}`,
    tell: (since) =>
      `its Ironic node to be unlocked: the conductor ${conductor} holds its lock, at least since ${since}. ` +
      'A conductor that has died lets go of it when it starts again',
  };
}
