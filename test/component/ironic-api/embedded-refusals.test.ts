import { afterEach, describe, expect, it } from '@jest/globals';
import { EmbeddedIronic } from '../../../src/embedded/ironic/index.js';
import { acceptedVerbs, provisionStates } from '../../../src/embedded/ironic/state-table.js';
import { ApiClient, errorOf } from '../../support/ironic-api/client.js';
import { bring, enroll, startBench, stopBenches } from './harness.js';

afterEach(stopBenches);

describe('a verb in the wrong state', () => {
  const verbs = ['manage', 'provide', 'inspect', 'active', 'rebuild', 'deleted', 'clean', 'adopt', 'abort', 'service'];

  it.each(provisionStates)('is 400 with the words of a real Ironic in %s', async (state) => {
    const { api, ironic } = await startBench();
    const uuid = await enroll(api);
    ironic.setNode(uuid, { provision_state: state });
    for (const verb of verbs.filter((each) => !(acceptedVerbs[state] as readonly string[]).includes(each))) {
      const reply = await api.provision(uuid, verb);
      expect([verb, reply.status, errorOf(reply).faultstring]).toEqual([
        verb,
        400,
        `The requested action "${verb}" can not be performed on node "${uuid}" while it is in state "${state}".`,
      ]);
    }
  });
});

describe('a step with nonsense in it', () => {
  it.each([
    [{ interface: 'bios', step: 'apply_configuration', args: { settings: [null, 1] } }, 'manageable'],
    [
      { interface: 'bios', step: 'apply_configuration', args: { settings: [{ name: 'NoSuch', value: 1 }] } },
      'clean failed',
    ],
    [{ interface: 'raid', step: 'apply_configuration' }, 'clean failed'],
    [{ interface: 'firmware', step: 'update', args: { settings: [{}] } }, 'clean failed'],
    [{ interface: 'deploy', step: 'toString' }, 'clean failed'],
  ])('%j ends in %s and does not harm the server', async (step, state) => {
    const bench = await startBench();
    const uuid = await bring(bench, 'manageable');
    expect((await bench.api.provision(uuid, 'clean', { clean_steps: [step] })).status).toBe(202);
    await bench.reach(uuid, 'cleaning');
    await bench.reach(uuid, state);
  });
});

describe('a locked node', () => {
  it('answers 409 at once to a verb, and after its retries to a change; it can be read meanwhile', async () => {
    const { api, clock } = await startBench({ phases: { seconds: { verify: 50 } } });
    const uuid = await enroll(api);
    await api.provision(uuid, 'manage');
    const locked = `Node ${uuid} is locked by host conductor-1, please retry after the current operation is completed.`;
    const verb = await api.provision(uuid, 'manage');
    expect([verb.status, errorOf(verb).faultstring]).toEqual([409, locked]);
    const started = clock.monotonic();
    const change = api.patch(`/v1/nodes/${uuid}`, [{ op: 'add', path: '/extra/k', value: 1 }]);
    expect((await api.node(uuid)).reservation).toBe('conductor-1');
    const reply = await waitFor(change, clock);
    expect([reply.status, errorOf(reply).faultstring]).toEqual([409, locked]);
    expect(clock.monotonic() - started).toBeGreaterThanOrEqual(2000);
    expect((await api.post('/v1/ports', { node_uuid: uuid, address: '52:54:00:aa:bb:cc' })).status).toBe(201);
  });

  it('lets a change succeed late when the lock is short', async () => {
    const { api, clock } = await startBench({ phases: { seconds: { verify: 1.5 } } });
    const uuid = await enroll(api);
    await api.provision(uuid, 'manage');
    const reply = await waitFor(api.patch(`/v1/nodes/${uuid}`, [{ op: 'add', path: '/extra/k', value: 1 }]), clock);
    expect(reply.status).toBe(200);
    expect((await api.node(uuid)).provision_state).toBe('manageable');
  });

  async function waitFor<T>(pending: Promise<T>, clock: { advanceAsync(ms: number): Promise<void> }): Promise<T> {
    let done = false;
    void pending.finally(() => (done = true));
    while (!done) await clock.advanceAsync(10);
    return pending;
  }
});

describe('a node in transition', () => {
  it('may not be changed', async () => {
    const bench = await startBench();
    const uuid = await bring(bench, 'manageable');
    await bench.api.provision(uuid, 'provide');
    await bench.reach(uuid, 'clean wait');
    const reply = await bench.api.patch(`/v1/nodes/${uuid}`, [{ op: 'add', path: '/extra/k', value: 1 }]);
    expect([reply.status, errorOf(reply).faultstring]).toEqual([
      409,
      `Node ${uuid} can not be updated while a state transition is in progress.`,
    ]);
    const power = await bench.api.put(`/v1/nodes/${uuid}/states/power`, { target: 'power off' });
    expect([power.status, errorOf(power).faultstring]).toEqual([
      400,
      `The requested action "power off" can not be performed on node "${uuid}" while it is in state "clean wait".`,
    ]);
  });
});

describe('deleting a node', () => {
  it('needs a resting state or maintenance, and no instance', async () => {
    const bench = await startBench();
    const { api } = bench;
    const uuid = await bring(bench, 'active');
    expect((await api.delete(`/v1/nodes/${uuid}`)).status).toBe(409);
    await api.put(`/v1/nodes/${uuid}/maintenance`, { reason: 'forced' });
    expect(await api.node(uuid)).toMatchObject({ maintenance: true, maintenance_reason: 'forced' });
    expect((await api.delete(`/v1/nodes/${uuid}`)).status).toBe(204);
    expect((await api.get(`/v1/nodes/${uuid}`)).status).toBe(404);
    expect((await api.get(`/v1/ports?detail=true`)).body.ports).toEqual([]);
    const instance_uuid = '11111111-0000-4000-8000-000000000001';
    const other = await enroll(api, { instance_uuid });
    const refused = await api.delete(`/v1/nodes/${other}`);
    expect([refused.status, errorOf(refused).faultstring]).toEqual([
      409,
      `Node ${other} is associated with instance ${instance_uuid}.`,
    ]);
  });
});

describe('power', () => {
  it('takes time, shows its target, and reboots what may not be powered off', async () => {
    const bench = await startBench();
    const { api, clock } = bench;
    const uuid = await bring(bench, 'active', { disable_power_off: true });
    const path = `/v1/nodes/${uuid}/states/power`;
    const off = await api.put(path, { target: 'power off' });
    expect([off.status, errorOf(off).faultstring]).toEqual([409, 'Failed to set node power state to power off.']);
    expect((await api.put(path, { target: 'rebooting' })).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({ power_state: 'power on', target_power_state: 'power on' });
    clock.advance(1000);
    expect(await api.node(uuid)).toMatchObject({ target_power_state: null, reservation: null });
    const reboots = bench.ironic.history().filter((entry) => entry.action === 'rebooting');
    expect(reboots).toHaveLength(1);
  });

  it('keeps the last error of a failure until something succeeds', async () => {
    const bench = await startBench({ faults: { rules: [{ fail: { step: 'power', times: 1, text: 'stuck relay' } }] } });
    const { api, clock } = bench;
    const uuid = await bring(bench, 'manageable');
    const path = `/v1/nodes/${uuid}/states/power`;
    await api.put(path, { target: 'power on' });
    clock.advance(1000);
    expect((await api.node(uuid)).last_error).toContain('stuck relay');
    await api.put(path, { target: 'power on' });
    expect((await api.node(uuid)).last_error).toBeNull();
    clock.advance(1000);
    expect(await api.node(uuid)).toMatchObject({ power_state: 'power on', last_error: null });
  });
});

describe('versions', () => {
  it('hide what is too new on reading and refuse it on writing', async () => {
    const { api } = await startBench();
    const uuid = await enroll(api);
    const first = await api.get(`/v1/nodes/${uuid}`, null);
    for (const hidden of ['name', 'boot_interface', 'automated_clean', 'traits'])
      expect(first.body[hidden]).toBeUndefined();
    expect((await api.get(`/v1/nodes/${uuid}`, '1.108')).body.health).toBeUndefined();
    expect((await api.get(`/v1/nodes/${uuid}`, '1.109')).body.health).toBeNull();
    expect((await api.get(`/v1/nodes?fields=uuid,health`, '1.108')).status).toBe(406);
    const disable = [{ op: 'add', path: '/disable_power_off', value: true }];
    expect((await api.patch(`/v1/nodes/${uuid}`, disable, '1.94')).status).toBe(406);
    expect((await api.patch(`/v1/nodes/${uuid}`, disable, '1.95')).status).toBe(200);
    expect((await api.get(`/v1/nodes/${uuid}/vmedia`, '1.92')).status).toBe(404);
  });

  it('are those of the configured range', async () => {
    const { api } = await startBench({ microversions: { max: '1.94' } });
    expect((await api.get('/', null)).body.default_version).toMatchObject({ min_version: '1.1', version: '1.94' });
    expect((await api.get('/v1/nodes', '1.95')).status).toBe(406);
    expect((await api.get('/v1/nodes', 'latest')).headers.get('x-openstack-ironic-api-version')).toBe('1.94');
    expect(() => new EmbeddedIronic({ clock: undefined as never, microversions: { max: 'new' } })).toThrow(
      /microversions\.max/,
    );
  });
});

describe('authentication', () => {
  it('leaves the version documents open and asks for everything else', async () => {
    const { api } = await startBench({ basicAuth: { username: 'admin', password: 'secret' } });
    expect((await api.get('/')).status).toBe(200);
    expect((await api.get('/v1/')).status).toBe(200);
    const refused = await api.get('/v1/nodes');
    expect([refused.status, refused.body]).toEqual([401, { error: { message: 'Authorization required', code: 401 } }]);
    const with_ = (text: string) =>
      new ApiClient({ root: api.root, authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    expect((await with_('admin:wrong').get('/nodes')).status).toBe(401);
    expect((await with_('admin:secret').get('/nodes')).status).toBe(200);
  });
});

describe('virtual media and subscriptions', () => {
  it('are attached and taken away again', async () => {
    const { api, clock } = await startBench();
    const uuid = await enroll(api);
    const path = `/v1/nodes/${uuid}/vmedia`;
    expect((await api.post(path, { device_type: 'cdrom', image_url: 'http://i/data.iso' })).status).toBe(204);
    // Answered before it is done: the node is locked meanwhile.
    expect((await api.get(path)).body[0]).toMatchObject({ inserted: false });
    expect((await api.get(`/v1/nodes/${uuid}`)).body.reservation).toBeTruthy();
    clock.advance(1000);
    expect((await api.get(path)).body[0]).toMatchObject({ inserted: true, image: 'http://i/data.iso' });
    expect((await api.get(`/v1/nodes/${uuid}`)).body.reservation).toBeNull();
    expect((await api.delete(`${path}?device_types=cdrom`)).status).toBe(204);
    clock.advance(1000);
    expect((await api.get(path)).body[0]).toMatchObject({ inserted: false });
    const passthru = `/v1/nodes/${uuid}/vendor_passthru?method=`;
    const made = await api.post(`${passthru}create_subscription`, { Destination: 'https://listen/', Context: 'c' });
    expect([made.status, made.body.Destination]).toEqual([200, 'https://listen/']);
    expect((await api.send('DELETE', `${passthru}delete_subscription`, { id: made.body.Id })).status).toBe(200);
    expect((await api.send('DELETE', `${passthru}delete_subscription`, { id: made.body.Id })).status).toBe(404);
  });
});
