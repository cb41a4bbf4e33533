/**
 * What a REST API of Ironic has to fulfil: conversations, and what a real Ironic answered on each step of them (the files in
 * `shapes`). They speak plain HTTP and know no server, so that each is held with any.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IronicTarget, StartTarget } from '../../support/ironic-api/target.js';
import type { Models, Observation } from './observation.js';
import { Talk } from './talk.js';
import { talks } from './talks/index.js';

export type Shapes = Record<string, Observation>;

export const shapesFile = (name: string) => new URL(`shapes/${name}.json`, import.meta.url);

export function shapesOf(name: string): Shapes {
  return JSON.parse(readFileSync(shapesFile(name), 'utf8')) as Shapes;
}

/** The answers of the conversation about models; it is told in full. */
function models(): Models {
  return Object.fromEntries(Object.entries(shapesOf('models')).map(([step, { answer }]) => [step, answer as object]));
}

/** Holds a conversation; its transcript, and why it broke off if it did. */
export async function hold(name: string, target: IronicTarget): Promise<{ transcript: Shapes; broken?: unknown }> {
  const talk = new Talk(target, name === 'models' ? {} : models());
  const { transcript } = talk;
  try {
    await talks[name]?.(talk);
    return { transcript };
  } catch (broken) {
    return { transcript, broken };
  } finally {
    await talk.end();
  }
}

/** The states, or those of another time if these are some of them up to the same end. */
export function seenBefore(seen: string[] | undefined, other: string[] | undefined): string[] | undefined {
  if (!seen || !other || seen.at(-1) !== other.at(-1)) return seen;
  let at = 0;
  for (const state of other) if (state === seen[at]) at += 1;
  return at === seen.length ? other : seen;
}

/** Slower than recorded, by seconds, that an answer may be where time is real; sooner it may never come. */
const mostLate = 5;

/** What was seen, in the words of the record where these say the same of a server on which time is real. */
function onRealTime(seen: Observation, recorded: Observation | undefined): Observation {
  const states = seenBefore(seen.states, recorded?.states);
  const late = (seen.seconds ?? 0) - (recorded?.seconds ?? 0);
  const waited = recorded?.seconds !== undefined && late >= 0 && late <= mostLate;
  return { ...seen, ...(states && { states }), ...(waited && { seconds: recorded.seconds }) };
}

type Held = Awaited<ReturnType<typeof hold>> & { readonly target: IronicTarget };

/** Holds the conversations with targets that are started for them, `together` those that do not disturb each other. */
export function conformance(start: StartTarget, together: readonly string[] = []): void {
  const holdFresh = async (name: string): Promise<Held> => {
    const target = await start();
    return { target, ...(await hold(name, target)) };
  };
  const begun = new Map<string, Promise<Held>>();

  describe.each(Object.keys(talks))('a conversation about %s', (name) => {
    const wanted = shapesOf(name);
    let held: Held | undefined;

    beforeAll(async () => {
      const group = together.includes(name) ? together : [name];
      if (!begun.has(name)) {
        for (const each of group) {
          const talking = holdFresh(each);
          // Whoever waits for it hears of it.
          talking.catch(() => undefined);
          begun.set(each, talking);
        }
      }
      held = await begun.get(name);
    }, 180_000);
    afterAll(async () => {
      await held?.target.stop();
    });

    it('has the steps that were recorded, and no other', () => {
      expect(held?.broken).toBeUndefined();
      expect(Object.keys(held?.transcript ?? {})).toEqual(Object.keys(wanted));
    });

    it.each(Object.keys(wanted))('is answered as by a real Ironic: %s', (step) => {
      const [seen, recorded] = [held?.transcript[step], wanted[step]];
      expect(seen && !held?.target.showsEveryState ? onRealTime(seen, recorded) : seen).toEqual(recorded);
    });
  });
}
