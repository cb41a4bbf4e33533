/**
 * Golden sequences: what clients see of many lives, as data. `IRONCHART_RECORD_GOLDEN=1` writes them anew; read the difference
 * against the specification of the host's life before you keep it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestPlant } from '../../support/plant.js';
import { faults, scripts } from './scripts.js';
import { type Tracks, tracksOf } from './tracks.js';

const records = process.env.IRONCHART_RECORD_GOLDEN === '1';
const place = (name: string) => new URL(`sequences/${name}.json`, import.meta.url);
/** This one empties Ironic's database, which all hosts share. */
const alone = new Set(['pivot']);

describe('what a client sees of the life of a host', () => {
  let crowd: TestPlant;
  let single: TestPlant;
  beforeAll(async () => {
    crowd = await TestPlant.start({ faults, speed: 40, maxRetries: 2 });
    single = await TestPlant.start({ speed: 40 });
  }, 30_000);
  afterAll(async () => {
    await crowd.stop();
    await single.stop();
  }, 30_000);

  const lives = new Map<string, Promise<Tracks>>();
  /** All begin at once; each test waits for its own. */
  function live(name: string): Promise<Tracks> {
    const { wish, act, last } = scripts[name]!;
    const plant = alone.has(name) ? single : crowd;
    return (async () => {
      await plant.add(name, wish);
      await act(plant, name);
      const [reason, times] = last;
      if (reason !== '') await plant.events(name, reason, times);
      return tracksOf(plant, name);
    })();
  }
  beforeAll(() => {
    for (const name of Object.keys(scripts)) {
      const life = live(name);
      life.catch(() => undefined);
      lives.set(name, life);
    }
  });

  it.each(Object.keys(scripts))(
    '%s',
    async (name) => {
      const seen = await lives.get(name);
      if (records) writeFileSync(place(name), `${JSON.stringify(seen, undefined, 2)}\n`);
      expect(seen).toEqual(JSON.parse(readFileSync(place(name), 'utf8')));
    },
    120_000,
  );
});

describe('each script', () => {
  it.each(Object.entries(scripts))(
    'waits for the last event of its sequence: %s',
    (name, { last: [reason, times = 1] }) => {
      const { events } = JSON.parse(readFileSync(place(name), 'utf8')) as Tracks;
      const final = events.at(-1) ?? '';
      expect([reason, reason === '' ? 0 : times]).toEqual([final, events.filter((each) => each === final).length]);
    },
  );
});
