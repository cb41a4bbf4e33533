import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { BareMetalHostStatus } from '../../../src/apis/index.js';
import { hostKind } from '../../../src/controllers/host/index.js';
import { hostMachine, restore } from '../../../machines/index.js';
import { eventually } from '../../support/eventually.js';
import { otherImage, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

const value = (lifecycle: unknown, more: object = {}) => ({ pass: 'rest', lifecycle, standing: 'ok', ...more });
const snapshot = (lifecycle: unknown, more: object = {}) => ({
  value: value(lifecycle),
  context: { step: null },
  ...more,
});
const whole = (state: string, change: object = {}) => ({
  chart: 'host/1',
  state,
  snapshot: snapshot({ [state]: 'rest' }),
  since: '2026-01-01T00:00:00Z',
  ...change,
});

/** What may stand in `status.lifecycle` of a host in `state`, none of which the operator has left there. */
const bad: [string, (state: string) => unknown][] = [
  ['is missing', () => undefined],
  ['is a string', () => 'provisioned'],
  ['is a number', () => 42],
  ['is a list', () => [1, 2, 3]],
  ['is empty', () => ({})],
  ['is huge', (state) => whole(state, { snapshot: { value: value(state), context: { step: 'x'.repeat(200_000) } } })],
  ['is of an older chart', (state) => whole(state, { chart: 'host/0' })],
  [
    'is of a newer chart',
    (state) => whole(state, { chart: 'host/99', snapshot: { value: { all: 'new' }, context: {} } }),
  ],
  ['contradicts the state', () => whole('available', { snapshot: snapshot({ available: 'rest' }) })],
  ['tells the right state and another value', (state) => whole(state, { snapshot: snapshot('registering') })],
  ['names no state', (state) => whole(state, { snapshot: snapshot({ melting: 'rest' }) })],
  ['is in the middle of deploying', (state) => whole(state, { snapshot: snapshot({ provisioning: 'deploying' }) })],
  ['is in the middle of its own work', (state) => whole(state, { snapshot: snapshot({ [state]: 'adopting' }) })],
  [
    'is in the middle of a pass',
    (state) =>
      whole(state, { snapshot: { value: value({ [state]: 'rest' }, { pass: 'detaching' }), context: { step: null } } }),
  ],
  ['has wrong types', () => ({ chart: 5, state: { a: 1 }, snapshot: 'rest', since: false, waitsFor: [] })],
  [
    'has a region too many',
    (state) =>
      whole(state, { snapshot: { value: value({ [state]: 'rest' }, { pirate: 'aboard' }), context: { step: null } } }),
  ],
  [
    'has children',
    (state) =>
      whole(state, {
        snapshot: snapshot(
          { [state]: 'rest' },
          {
            status: 'active',
            children: { x: { snapshot: { status: 'active', input: {} }, src: 'deleteHost', syncSnapshot: false } },
          },
        ),
      }),
  ],
  [
    'says that it has ended',
    (state) => whole(state, { snapshot: snapshot('deleted', { status: 'done', output: {} }) }),
  ],
  [
    'has an error of its own',
    (state) => whole(state, { snapshot: snapshot({ [state]: 'rest' }, { status: 'error', error: 'boom' }) }),
  ],
  [
    'carries a context of its own',
    (state) =>
      whole(state, {
        snapshot: {
          value: value({ [state]: 'rest' }),
          context: { step: null, draft: { result: { kind: 'deleteComplete' } }, observed: {} },
        },
      }),
  ],
  [
    'is named like what every object has',
    (state) =>
      whole(state, {
        constructor: { prototype: { x: 1 } },
        toString: 'no',
        hasOwnProperty: 1,
        snapshot: snapshot({ constructor: 'rest' }),
      }),
  ],
];

describe('a status whose snapshot', () => {
  let plant: TestPlant;
  const rows = bad.map(([title, make], index) => ({ title, make, index }));

  /** Puts it in the place of what is there. */
  async function spoil(name: string, state: string, make: (state: string) => unknown): Promise<void> {
    const key = { namespace: 'default', name };
    await plant.api.patch(hostKind, key, { status: { lifecycle: null } }, { subresource: 'status' });
    const lifecycle = make(state);
    if (lifecycle !== undefined) await plant.change(name, { status: { lifecycle } }, 'status');
  }

  const isHealed = (name: string, state: string) => {
    const { status } = plant.host(name);
    return status?.lifecycle?.chart === 'host/1' && status.lifecycle.state === state;
  };

  // All hosts live side by side: one for each row, and one whose snapshot nobody touches.
  beforeAll(async () => {
    plant = await TestPlant.start({
      takesAnyLifecycle: true,
      limit: 100,
      speed: 20,
      patienceMs: 60_000,
      // Long enough for every host to be met while its machine is at work.
      phases: { seconds: { inspectWait: 80 } },
    });
    const untouched = { title: 'is left alone', make: undefined, index: rows.length };
    const spoilAll = async (prefix: string, state: string) => {
      const ready = [...rows, untouched].map(async ({ index, make }) => {
        const name = `${prefix}-${index}`;
        await plant.add(name);
        await plant.until(
          name,
          state,
          ({ status }) => status?.provisioning.state === state && (state === 'inspecting' || status.poweredOn === true),
        );
        await eventually(
          'the machine is at work',
          () => state !== 'inspecting' || plant.node(name)?.provision_state === 'inspect wait',
        );
        if (make !== undefined) await spoil(name, state, make);
        // The pass that is to decide upon this edit is the one that meets the snapshot.
        if (state === 'provisioned') await plant.change(name, { spec: { image: otherImage } });
      });
      await Promise.all(ready);
    };
    await Promise.all([spoilAll('inspecting', 'inspecting'), spoilAll('provisioned', 'provisioned')]);
  }, 60_000);
  afterAll(() => plant.stop());

  it.each(rows)(
    '$title is restored from the wire in a host that is being inspected, which goes its way',
    async ({ index }) => {
      const [name, untouched] = [`inspecting-${index}`, `inspecting-${rows.length}`];
      await plant.settled(name);
      await plant.settled(untouched);
      expect(plant.requests(name)).toEqual(plant.requests(untouched));
      expect(plant.states(name)).toEqual(plant.states(untouched));
      expect(isHealed(name, 'provisioned')).toBe(true);
    },
  );

  it.each(rows)(
    '$title is restored from the wire in a provisioned host, which does what it is asked to',
    async ({ index }) => {
      const [name, untouched] = [`provisioned-${index}`, `provisioned-${rows.length}`];
      for (const each of [name, untouched]) {
        await plant.until(each, 'the other image', ({ status }) => status?.provisioning.image?.url === otherImage.url);
        await plant.settled(each);
      }
      expect(plant.requests(name)).toEqual(['create', 'manage', 'inspect', 'provide', 'active', 'deleted', 'active']);
      expect(plant.requests(name)).toEqual(plant.requests(untouched));
      expect(plant.states(name)).toEqual(plant.states(untouched));
      expect(isHealed(name, 'provisioned')).toBe(true);
      const errors = plant.versions(name).filter(({ status }) => (status?.errorCount ?? 0) > 0);
      expect(errors).toEqual([]);
    },
  );

  it('holds a prototype, which no API server would take, is not taken either', () => {
    const lifecycle: unknown = JSON.parse(
      '{"__proto__":{"chart":"host/1","state":"provisioned"},"snapshot":{"value":{"__proto__":{"lifecycle":"deleting"}},"context":{"__proto__":{"step":"x"}}}}',
    );
    const { status } = plant.host(`provisioned-${rows.length}`);
    const restored = restore(hostMachine, { ...status, lifecycle } as BareMetalHostStatus);
    expect(restored.source).toBe('garbled');
    expect(restored.snapshot.value).toEqual(value({ provisioned: 'rest' }));
    expect(({} as Record<string, unknown>).chart).toBeUndefined();
  });
});
