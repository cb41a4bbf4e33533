import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeError, type KubeObject, ObjectStore, Reflector, type ReflectorOptions } from '../../../src/kube/index.js';
import { FakeClock, settle } from '../../support/fake-clock.js';
import { listed, ScriptedKube } from '../../support/scripted-kube.js';

const kind = { group: 'metal3.io', version: 'v1alpha1', kind: 'BareMetalHost', plural: 'baremetalhosts' };
const object = (name: string, version: string, namespace = 'default'): KubeObject => ({
  metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: version },
});
const bookmark = (version: string) => ({ metadata: { resourceVersion: version } });

let kube: ScriptedKube;
let clock: FakeClock;
let store: ObjectStore<KubeObject>;
let errors: string[];
let reflectors: Reflector<KubeObject>[];

beforeEach(() => {
  kube = new ScriptedKube().pages(listed('10', [object('a', '3')]));
  clock = new FakeClock();
  store = new ObjectStore<KubeObject>();
  errors = [];
  reflectors = [];
});
afterEach(() => reflectors.forEach((reflector) => reflector.stop()));

async function run(options: ReflectorOptions = {}) {
  const all = { onError: (message: string) => void errors.push(message), ...options };
  const reflector = new Reflector(kube.api, kind, store, clock, { next: () => 0 }, all);
  reflectors.push(reflector);
  const running = reflector.run();
  await settle();
  return { reflector, running };
}

const names = () => [...store.values()].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort();

describe('the first look', () => {
  it('lists page by page, and says when it knows all', async () => {
    kube.pages(listed('10', [object('a', '1')], 'more'), listed('10', [object('b', '2')]));
    const { reflector } = await run({ pageSize: 1, labelSelector: 'x=y', namespace: 'default' });
    await reflector.synced;
    expect(names()).toEqual(['a@1', 'b@2']);
    expect(kube.lists.map(({ limit, continueToken }) => [limit, continueToken])).toEqual([
      [1, ''],
      [1, 'more'],
    ]);
    expect(kube.lists.every(({ labelSelector, namespace }) => labelSelector === 'x=y' && namespace === 'default')).toBe(
      true,
    );
    expect(kube.last.options).toMatchObject({ labelSelector: 'x=y', namespace: 'default', resourceVersion: '10' });
  });

  it('begins again when the server forgets the list half-way', async () => {
    const gone = new KubeError('KUBE_GONE', 'too old');
    kube.pages(listed('10', [object('a', '1')], 'more'), gone, listed('12', [object('b', '11')]));
    const { reflector } = await run();
    await clock.advanceAsync(100);
    await reflector.synced;
    expect(names()).toEqual(['b@11']);
    expect(kube.last.options.resourceVersion).toBe('12');
  });

  it('is tried with growing gaps, up to half a minute, while the server is away', async () => {
    kube.pages(new KubeError('KUBE_UNAVAILABLE', 'away'));
    await run();
    const gaps: number[] = [];
    for (let times = 0; times < 10; times += 1) {
      const wait = clock.untilNext ?? Number.NaN;
      gaps.push(wait);
      await clock.advanceAsync(wait);
    }
    expect(gaps).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 15_000, 15_000]);
    expect(errors).toHaveLength(11);
  });

  it('leaves other namespaces alone', async () => {
    store.put(object('x', '1', 'other'), 'watch');
    store.put(object('gone', '1'), 'watch');
    await run({ namespace: 'default' });
    expect(names()).toEqual(['a@3', 'x@1']);
  });

  it('does not take back what was written while it was under way', async () => {
    store.put(object('fresh', '11'), 'write');
    store.put(object('a', '12'), 'write');
    await run();
    expect(names()).toEqual(['a@12', 'fresh@11']);
  });
});

describe('the watch', () => {
  it('brings additions, changes and deletions', async () => {
    await run();
    kube.last
      .event('ADDED', object('b', '11'))
      .event('MODIFIED', object('a', '12'))
      .event('DELETED', object('b', '13'));
    await settle();
    expect(names()).toEqual(['a@12']);
  });

  it('goes on after its time is over from the last bookmark, without a list and without a pause', async () => {
    await run();
    kube.last.event('BOOKMARK', bookmark('40')).end();
    await settle();
    expect(kube.watches.map(({ options }) => options.resourceVersion)).toEqual(['10', '40']);
    expect([kube.lists.length, errors]).toEqual([1, []]);
    expect(names()).toEqual(['a@3']);
  });

  it('goes on after a broken connection from the last version, after a short pause', async () => {
    await run();
    kube.last.event('MODIFIED', object('a', '21')).fail(new KubeError('KUBE_UNAVAILABLE', 'the connection broke'));
    await settle();
    expect(kube.watches).toHaveLength(1);
    await clock.advanceAsync(100);
    expect(kube.watches.map(({ options }) => options.resourceVersion)).toEqual(['10', '21']);
    expect([kube.lists.length, errors]).toEqual([1, ['baremetalhosts: the connection broke']]);
  });

  it.each<[string, () => void]>([
    ['as an answer', () => kube.last.fail(new KubeError('KUBE_GONE', 'too old resource version'))],
    ['as an event', () => kube.last.event('ERROR', { kind: 'Status', code: 410, message: 'too old resource version' })],
  ])('lists again when the version is forgotten, told %s, and finds what it has missed', async (_how, tell) => {
    await run();
    kube.pages(listed('90', [object('b', '80')]));
    tell();
    await clock.advanceAsync(100);
    expect(kube.lists).toHaveLength(2);
    expect(names()).toEqual(['b@80']);
    expect(kube.last.options.resourceVersion).toBe('90');
  });

  it('goes on from where it was after any other error event', async () => {
    await run();
    kube.last.event('BOOKMARK', bookmark('40')).event('ERROR', { kind: 'Status', code: 500, message: 'etcd is away' });
    await clock.advanceAsync(100);
    expect([kube.lists.length, kube.last.options.resourceVersion, errors]).toEqual([
      1,
      '40',
      ['baremetalhosts: etcd is away'],
    ]);
  });

  it.each(['{"type":"ADDED","object":{"meta', 'null', '{"type":"ADDED"}', '<html>', '{"type":"ADDED","object":{}}'])(
    'survives the line %s and loses nothing',
    async (garbage) => {
      await run();
      kube.last.event('ADDED', object('b', '11')).line(garbage);
      await clock.advanceAsync(100);
      expect(kube.last.options.resourceVersion).toBe('11');
      kube.last.event('ADDED', object('c', '12'));
      await settle();
      expect(names()).toEqual(['a@3', 'b@11', 'c@12']);
      expect(errors).toEqual(['baremetalhosts: a watch line could not be read']);
    },
  );

  it('gets past a line that stays unreadable by a new list', async () => {
    await run();
    kube.pages(listed('50', [object('a', '3'), object('poison', '11')]));
    for (let times = 0; times < 3; times += 1) {
      kube.last.line('garbage');
      await settle();
      await clock.advanceAsync(clock.untilNext ?? 0);
    }
    expect([kube.lists.length, kube.last.options.resourceVersion]).toEqual([2, '50']);
    expect(names()).toEqual(['a@3', 'poison@11']);
  });

  it('is not opened without a pause again and again where it ends at once', async () => {
    await run();
    for (let times = 0; times < 3; times += 1) {
      kube.last.end();
      await settle();
      expect(kube.watches).toHaveLength(times + 1);
      await clock.advanceAsync(clock.untilNext ?? 0);
    }
    expect(clock.monotonic()).toBe(100 + 200 + 400);
    clock.advance(60_000);
    kube.last.end();
    await settle();
    expect(kube.watches).toHaveLength(5);
  });

  it('spreads the time that it asks for, and has a limit for silence', async () => {
    await run({ watchSeconds: 100, silenceMs: 7000 });
    expect(kube.last.options).toMatchObject({ timeoutSeconds: 100, silenceMs: 7000 });
    const late = new Reflector(kube.api, kind, store, clock, { next: () => 0.999 }, { watchSeconds: 100 });
    reflectors.push(late);
    void late.run();
    await settle();
    expect(kube.last.options.timeoutSeconds).toBe(200);
  });

  it('knows for how long the server has been silent', async () => {
    const { reflector } = await run();
    clock.advance(5000);
    expect(reflector.silentForMs).toBe(5000);
    kube.last.event('BOOKMARK', bookmark('40'));
    await settle();
    expect(reflector.silentForMs).toBe(0);
  });
});

describe('stopping', () => {
  it('ends an open watch at once', async () => {
    const { reflector, running } = await run();
    reflector.stop();
    await running;
    expect([errors, kube.watches.length]).toEqual([[], 1]);
  });

  it('ends a pause between tries at once, and leaves no timer', async () => {
    kube.pages(new KubeError('KUBE_UNAVAILABLE', 'away'));
    const { reflector, running } = await run();
    reflector.stop();
    await running;
    expect([kube.lists.length, clock.waiting]).toEqual([1, 0]);
  });
});
