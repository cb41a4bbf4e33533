import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { FaultsInput } from '../../../src/embedded/ironic/index.js';
import type { Fault } from '../../../src/embedded/kube/index.js';
import { hostKind } from '../../../src/controllers/host/index.js';
import { eventually } from '../../support/eventually.js';
import { condition, image, otherImage, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

let plant: TestPlant;
afterEach(() => plant.stop());

/** Nothing of what went wrong around the host was ever counted against the host. */
function expectNoBlame(name: string): void {
  const blamed = plant.versions(name).filter(({ status }) => (status?.errorCount ?? 0) > 0 || status?.errorType);
  expect(blamed).toEqual([]);
}

/** What the host was said to wait for, all its life long. */
function waits(name: string): string[] {
  return plant.versions(name).flatMap(({ status }) => status?.lifecycle?.waitsFor ?? []);
}

describe('an Ironic that is away', () => {
  it('at the start is told on the host, and waited for', async () => {
    plant = await TestPlant.start({ ironicIsAway: true });
    await plant.add('host');
    const told = await plant.until('host', 'told', ({ status }) => /Ironic/.test(status?.lifecycle?.waitsFor ?? ''));
    expect(told.status?.lifecycle?.waitsFor).toMatch(/^Ironic is not ready: .*ECONNREFUSED/);
    expect(condition(told, 'Progressing').message).toBe(told.status?.lifecycle?.waitsFor);
    expect(await plant.reasons('host', 'ProvisionerNotReady')).toContain('ProvisionerNotReady');
    await plant.ironic.start();
    await plant.settled('host');
    expectNoBlame('host');
    expect(plant.host('host').status?.lifecycle?.waitsFor).toBeUndefined();
    expect(condition(plant.host('host'), 'Progressing').message).toBe('');
  });

  it.each(['registering', 'inspecting', 'provisioning', 'deprovisioning'])(
    'while a host is %s costs nothing but time',
    async (state) => {
      plant = await TestPlant.start({ phases: { phaseSeconds: 3 } });
      await plant.add('host');
      if (state === 'deprovisioning') {
        await plant.settled('host');
        await plant.change('host', { spec: { image: otherImage } });
      }
      await plant.until('host', state, ({ status }) => status?.provisioning.state === state);
      await plant.ironic.stop();
      await plant.until('host', 'told', ({ status }) => /Ironic/.test(status?.lifecycle?.waitsFor ?? ''));
      await plant.ironic.start();
      await plant.until('host', 'the wish', ({ spec, status }) => status?.provisioning.image?.url === spec.image?.url);
      await plant.settled('host');
      expectNoBlame('host');
      expect(plant.count('host', 'active')).toBe(state === 'deprovisioning' ? 2 : 1);
      expect(plant.count('host', 'create')).toBe(1);
    },
  );

  it('is told on a host that is being deleted, which goes when it is back', async () => {
    plant = await TestPlant.start();
    await plant.add('host', { spec: { image: undefined } });
    await plant.until('host', 'on', ({ status }) => status?.provisioning.state === 'available' && status.poweredOn);
    await plant.ironic.stop();
    await plant.remove('host');
    const told = await plant.until('host', 'told', ({ status }) =>
      (status?.lifecycle?.waitsFor ?? '').startsWith('the deletion waits: Ironic is not ready: '),
    );
    const message = condition(told, 'Progressing').message;
    expect(message).toMatch(/ECONNREFUSED.*baremetalhost\.metal3\.io\/detached/);
    const events = await plant.events('host', 'ProvisionerNotReady');
    expect(events).toContainEqual({ reason: 'ProvisionerNotReady', message });
    await plant.ironic.start();
    await plant.gone('host');
    expect(plant.node('host')).toBeUndefined();
  });

  it('holds up no deletion any more once the host is detached, as the host has said', async () => {
    plant = await TestPlant.start();
    await plant.add('host', { spec: { image: undefined } });
    await plant.until('host', 'on', ({ status }) => status?.provisioning.state === 'available' && status.poweredOn);
    await plant.ironic.stop();
    await plant.remove('host');
    await plant.until('host', 'told', ({ status }) => /the deletion waits/.test(status?.lifecycle?.waitsFor ?? ''));
    await plant.annotate('host', { 'baremetalhost.metal3.io/detached': '' });
    await plant.gone('host');
    expect(await plant.reasons('host', 'ReleasedWithoutIronic')).toContain('ReleasedWithoutIronic');
  });
});

describe('an Ironic that answers badly', () => {
  const nodes = '/v1/nodes*';
  const troubles: [string, FaultsInput, RegExp | undefined][] = [
    [
      '500',
      { api: [{ match: { path: nodes }, times: 12, status: 500, text: 'the database hiccups' }] },
      /database hiccups/,
    ],
    [
      '503',
      { api: [{ match: { path: nodes }, times: 12, status: 503, text: 'no free conductor worker' }] },
      /no free conductor/,
    ],
    ['504 from a proxy', { api: [{ match: { path: '/v1/*' }, times: 12, status: 504 }] }, /504/],
    ['429', { api: [{ match: { path: nodes }, times: 12, status: 429, text: 'slow down' }] }, /slow down/],
    // Locked now: nothing to tell, it is tried again soon.
    [
      '409 to every change',
      { api: [{ match: { method: 'P*T*', path: nodes }, times: 8, status: 409, text: 'node is locked' }] },
      undefined,
    ],
    [
      'a broken connection',
      { api: [{ match: { path: nodes }, times: 12, reset: true }] },
      /cannot be reached|ECONNRESET|socket hang up/,
    ],
    ['no answer at all', { api: [{ match: { path: nodes }, times: 6, hang: true }] }, /[Tt]imeout|in time/],
    ['401', { api: [{ match: { path: nodes }, times: 6, status: 401, text: 'who are you' }] }, /401|who are you/],
  ];

  it.each(troubles)('(%s) delays a host, says so, and is not counted against it', async (_title, faults, told) => {
    plant = await TestPlant.start({ speed: 80, faults, ironicTimeoutMs: 150 });
    await plant.add('host');
    await plant.settled('host');
    expectNoBlame('host');
    expect(plant.count('host', 'create')).toBe(1);
    expect(plant.count('host', 'active')).toBe(1);
    if (told !== undefined) expect(waits('host').join('\n')).toMatch(told);
    expect(plant.host('host').status?.lifecycle?.waitsFor).toBeUndefined();
  });

  it('loses no node when the answer to its creation comes too late', async () => {
    plant = await TestPlant.start({
      ironicTimeoutMs: 150,
      faults: { api: [{ match: { method: 'POST', path: '/v1/nodes' }, times: 1, delaySeconds: 20 }] },
    });
    await plant.add('host');
    await plant.settled('host');
    expectNoBlame('host');
    expect(plant.ironic.nodes().length).toBe(1);
    expect(plant.count('host', 'create')).toBe(1);
  });
});

describe('an API server in trouble', () => {
  it.each([403, 422, 500])(
    'that takes no status (%i) is told where a person sees it: no host can say so',
    async (status) => {
      plant = await TestPlant.start();
      plant.kubeFault = ({ verb, subresource }) =>
        verb === 'patch' && subresource === 'status' ? { status } : undefined;
      await plant.add('host');
      const isTold = (line: string) => line.includes('"level":"warn"') && line.includes(`hosts/host/status: ${status}`);
      await eventually('the warning', () => plant.log.some(isTold));
      plant.kubeFault = undefined;
      await plant.settled('host');
      expectNoBlame('host');
      expect(plant.count('host', 'create')).toBe(1);
    },
  );

  const faults: [string, Fault][] = [
    ['refuses with 500', { status: 500, reason: 'InternalError' }],
    ['refuses with 429', { status: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 }],
    ['refuses with 409', { status: 409, reason: 'Conflict' }],
    ['cuts the connection', 'drop'],
    ['loses its answer', 'dropAfter'],
    ['never answers', 'hang'],
  ];

  it.each(faults)('that %s at every second write of a host changes nothing in the end', async (_title, fault) => {
    // A request without an answer is given up after half a minute.
    plant = await TestPlant.start({ speed: 150 });
    let writes = 0;
    await plant.add('host');
    plant.kubeFault = ({ verb, resource }) => {
      if (verb !== 'patch' || !resource.startsWith('baremetalhosts')) return undefined;
      writes += 1;
      return writes % 2 === 1 ? fault : undefined;
    };
    await plant.settled('host');
    plant.kubeFault = undefined;
    expect(writes).toBeGreaterThan(6);
    expectNoBlame('host');
    expect(plant.requests('host')).toEqual(['create', 'manage', 'inspect', 'provide', 'active']);
    expect(plant.states('host')).toEqual([
      ...['', 'registering', 'inspecting', 'preparing', 'available', 'provisioning', 'provisioned'],
    ]);
  });

  it('that is away for a while is waited for, without a restart', async () => {
    plant = await TestPlant.start({ speed: 60 });
    await plant.add('host');
    await plant.until('host', 'inspecting', ({ status }) => status?.provisioning.state === 'inspecting');
    let refused = 0;
    plant.kubeFault = () => {
      refused += 1;
      return 'drop';
    };
    plant.kube.endWatches('drop');
    await eventually('many refused', () => refused > 30);
    plant.kubeFault = undefined;
    await plant.settled('host');
    expectNoBlame('host');
    expect(plant.count('host', 'active')).toBe(1);
  });

  it('that drops its watches and forgets its history is listed again, in every state', async () => {
    plant = await TestPlant.start();
    await plant.add('host');
    const way = ['registering', 'inspecting', 'preparing', 'available', 'provisioning', 'provisioned'];
    for (const [index, state] of way.entries()) {
      await plant.until('host', state, ({ status }) => way.indexOf(status?.provisioning.state ?? '') >= index);
      plant.kubeFault = ({ verb }) => (verb === 'watch' ? 'drop' : undefined);
      plant.kube.endWatches('drop');
      await plant.api.patch(
        hostKind,
        { namespace: 'default', name: 'host' },
        { metadata: { labels: { seen: state } } },
      );
      plant.kube.compact();
      plant.kubeFault = undefined;
    }
    await plant.settled('host');
    await plant.change('host', { spec: { online: false } });
    await plant.until('host', 'off', ({ status }) => status?.poweredOn === false);
    expectNoBlame('host');
    // The operator and the client of this test list at their start, and after more than one loss.
    expect(plant.kube.requestCounts()['list baremetalhosts.metal3.io']).toBeGreaterThanOrEqual(2 + 2 * 2);
  });

  it('whose events cannot be written does not hold up a host', async () => {
    plant = await TestPlant.start();
    plant.kubeFault = ({ resource }) => (resource === 'events' ? { status: 403, reason: 'Forbidden' } : undefined);
    await plant.add('host');
    await plant.settled('host');
    await eventually('the loss of the last event', () =>
      plant.log.join('').includes('event ProvisioningComplete was not written'),
    );
    plant.kubeFault = undefined;
    expect(await plant.reasons('host')).toEqual([]);
    expect(plant.log.join('')).toContain('an event was lost');
  });

  it('on which somebody else writes all the time: no change of theirs is lost', async () => {
    plant = await TestPlant.start();
    await plant.add('host');
    let isDone = false;
    const theirs: Record<string, string> = {};
    const other = (async () => {
      for (let note = 0; !isDone; note += 1) {
        theirs[`notes/n${note}`] = `value ${note}`;
        await plant.change('host', { metadata: { annotations: { [`notes/n${note}`]: `value ${note}` } } });
        if (note === 5) await plant.change('host', { spec: { consumerRef: { name: 'me', kind: 'Machine' } } });
        // Some two writes in a second of the operator's time.
        await plant.clock.sleep(400);
      }
    })();
    await plant.settled('host');
    isDone = true;
    await other;
    const { metadata, spec } = plant.host('host');
    expect(Object.keys(theirs).length).toBeGreaterThan(10);
    expect(metadata.annotations).toMatchObject(theirs);
    expect(spec.consumerRef).toMatchObject({ name: 'me' });
    expectNoBlame('host');
    expect(plant.count('host', 'active')).toBe(1);
  });
});

describe('a host that is described badly', () => {
  const address = (text: string, credentialsName = 'host-bmc') => ({ bmc: { address: text, credentialsName } });
  const [refused, unusable] = ['RegistrationError', 'BMCCredentialError'];
  const bad: [string, object, string | null | undefined, RegExp, string][] = [
    ['an unknown protocol', address('telepathy://192.0.2.1'), undefined, /telepathy/, refused],
    ['a malformed address', address('ipmi//192.0.2.10'), undefined, /address/i, refused],
    ['no such Secret', {}, null, /^BMC CredentialsName secret doesn't exist: create the Secret host-bmc/, unusable],
    [
      'an empty password',
      {},
      '',
      /^Validation error with BMC credentials: the Secret host-bmc has no password; set it/,
      unusable,
    ],
    [
      'no name of a Secret',
      address('ipmi://192.0.2.10', ''),
      undefined,
      /^No BMC CredentialsName defined: .*credentialsName is empty; name the Secret/,
      unusable,
    ],
  ];

  it.each(bad)(
    '(%s) shows a registration error that says what to do',
    async (_title, spec, password, message, reason) => {
      plant = await TestPlant.start({ isUnguarded: true });
      await plant.add('host', { spec: { ...spec }, password });
      const { status } = await plant.fails('host', 'registration error');
      expect(status).toMatchObject({ operationalStatus: 'error', provisioning: { state: 'registering' } });
      expect(status?.errorMessage).toMatch(message);
      expect(plant.ironic.nodes()).toEqual([]);
      expect(await plant.events('host', reason)).toContainEqual({ reason, message: status?.errorMessage });
    },
  );

  it('recovers as soon as it is described well', async () => {
    plant = await TestPlant.start({ isUnguarded: true });
    await plant.add('host', { spec: address('ipmi//192.0.2.10') });
    const failed = await plant.fails('host', 'registration error');
    await plant.change('host', { spec: { bmc: { address: 'ipmi://192.0.2.10' } } });
    await plant.until('host', 'inspecting', ({ status }) => status?.provisioning.state === 'inspecting');
    // Long before the next try was due.
    expect(plant.clock.now()).toBeLessThan(Date.parse(failed.status?.lifecycle?.nextRetryAt ?? ''));
  });

  it('is deleted at once, and nobody asks Ironic for its node', async () => {
    plant = await TestPlant.start({ isUnguarded: true });
    await plant.add('host', { spec: { ...address('ipmi//192.0.2.10'), image } });
    await plant.fails('host', 'registration error');
    plant.ironic.resetRequestCounts();
    const deletedAt = plant.clock.monotonic();
    await plant.remove('host');
    await plant.gone('host');
    expect(plant.clock.monotonic() - deletedAt).toBeLessThan(60_000);
    // Who looks for orphans may just then list all nodes: that asks for none of them.
    const asked = Object.keys(plant.ironic.requestCounts()).filter((request) => request !== 'GET /v1/nodes');
    expect(asked.filter((request) => /nodes|ports/.test(request))).toEqual([]);
  });
});

describe('BMCs that give no answer', () => {
  const silent = { rules: [{ unreachable: { seconds: 3 } }] };
  const errors = (name: string) => plant.versions(name).filter(({ status }) => status?.errorType !== undefined);

  /** The error counted once; with the count, its type and message were gone too. */
  function expectOverAtOnce(name: string): void {
    expect(errors(name)[0]?.status).toMatchObject({ operationalStatus: 'error', errorCount: 1 });
    expect(errors(name)[0]?.status?.errorMessage).toMatch(/Unable to connect/);
    const counts = plant.versions(name).map(({ status }) => status?.errorCount ?? 0);
    const forgiven = plant.versions(name)[counts.indexOf(0, counts.indexOf(1))];
    for (const host of [forgiven, plant.host(name)]) {
      expect(host?.status).toMatchObject({ operationalStatus: 'OK', errorMessage: '', errorCount: 0 });
      expect(host?.status?.errorType).toBeUndefined();
    }
  }

  it('for ten seconds hold hosts up for less than a minute, and leave nothing behind: no error, no count', async () => {
    plant = await TestPlant.start({ speed: 8, faults: silent, phases: { phaseSeconds: 1 } });
    const names = ['one', 'two', 'three'];
    for (const name of names) await plant.add(name, { spec: { image: undefined } });
    for (const name of names) await plant.fails(name, 'registration error');
    await plant.clock.sleep(10_000);
    plant.ironic.setFaults({});
    const began = plant.clock.now();
    for (const name of names) await plant.reaches(name, 'available');
    expect(plant.clock.now() - began).toBeLessThan(60_000);
    for (const name of names) expectOverAtOnce(name);
  });

  it('for an hour are tried soon at first, and then seldom', async () => {
    plant = await TestPlant.start({ speed: 400, faults: silent });
    await plant.add('host', { spec: { image: undefined } });
    await plant.fails('host', 'registration error');
    await plant.clock.sleep(60 * 60_000);
    const tries = plant.count('host', 'manage');
    expect(tries).toBeGreaterThan(6);
    expect(tries).toBeLessThan(12);
    const next = Date.parse(plant.host('host').status?.lifecycle?.nextRetryAt ?? '') - plant.clock.now();
    expect(next).toBeGreaterThan(0);
    // A person who has mended it does not wait.
    plant.ironic.setFaults({});
    await plant.annotate('host', { 'ironchart.io/retry': '' });
    await plant.reaches('host', 'available');
    expect(plant.host('host').status).toMatchObject({ errorMessage: '', errorCount: 0 });
  });

  it('are told from those that refuse the password, which is not tried again soon', async () => {
    plant = await TestPlant.start({
      speed: 60,
      faults: { rules: [{ credentials: { username: 'admin', password: 'other' } }] },
    });
    await plant.add('host', { spec: { image: undefined } });
    const { status } = await plant.fails('host', 'registration error');
    expect(status?.errorMessage).toMatch(/401/);
    await plant.clock.sleep(45_000);
    expect(plant.count('host', 'manage')).toBe(1);
    expect(Date.parse(status?.lifecycle?.nextRetryAt ?? '') - Date.parse(status?.lastUpdated ?? '')).toBeGreaterThan(
      59_000,
    );
  });
});
