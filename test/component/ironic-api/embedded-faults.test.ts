import { afterEach, describe, expect, it } from '@jest/globals';
import { errorOf } from '../../support/ironic-api/client.js';
import { bring, enroll, image, startBench, stopBenches } from './harness.js';

afterEach(stopBenches);

describe('a controller that does not answer', () => {
  it('keeps its node verifying for a long time and then back in enroll with the reason', async () => {
    const { api, reach, clock } = await startBench({ faults: { rules: [{ unreachable: true }] } });
    const uuid = await enroll(api);
    await api.provision(uuid, 'manage');
    clock.advance(49_000);
    expect((await api.node(uuid)).provision_state).toBe('verifying');
    const node = await reach(uuid, 'enroll', 2);
    expect(node).toMatchObject({ target_provision_state: null, power_state: null, reservation: null });
    expect(node.last_error).toMatch(
      /^Failed to get power state for node .* Redfish connection failed .*Connection refused/,
    );
  });

  it('puts a running host into maintenance with a power failure, and out of it when it is back', async () => {
    const bench = await startBench({ phases: { powerSyncSeconds: 60 } });
    const uuid = await bring(bench, 'active');
    bench.ironic.setFaults({ rules: [{ match: { bmcAddress: '*' }, unreachable: true }] });
    bench.clock.advance(300_000);
    const lost = await bench.api.node(uuid);
    expect(lost).toMatchObject({ maintenance: true, fault: 'power failure', power_state: null });
    bench.ironic.setFaults({});
    bench.clock.advance(60_000);
    expect(await bench.api.node(uuid)).toMatchObject({ maintenance: false, fault: null, power_state: 'power on' });
  });
});

describe('credentials', () => {
  it('that are wrong end in enroll soon; the right ones are then taken', async () => {
    const credentials = { username: 'admin', password: 'right' };
    const { api, reach } = await startBench({ faults: { rules: [{ match: { name: 'host-*' }, credentials }] } });
    const uuid = await enroll(api);
    await api.provision(uuid, 'manage');
    const refused = await reach(uuid, 'enroll', 2);
    expect(refused.last_error).toContain('returned code 401. Base.1.0.GeneralError: Incorrect username or password');
    expect(JSON.stringify(refused)).not.toContain('right');
    await api.patch(`/v1/nodes/${uuid}`, [{ op: 'add', path: '/driver_info/redfish_password', value: 'right' }]);
    await api.provision(uuid, 'manage');
    expect((await reach(uuid, 'manageable')).last_error).toBeNull();
  });
});

describe('a failing step', () => {
  it('fails as often as it was told, for each host, and then no more', async () => {
    const faults = { rules: [{ fail: { step: 'inspect' as const, times: 2, text: 'no disks found' } }] };
    const bench = await startBench({ faults });
    const { api, reach } = bench;
    const uuid = await bring(bench, 'manageable');
    for (let attempt = 0; attempt < 2; attempt++) {
      await api.provision(uuid, 'inspect');
      await reach(uuid, 'inspect wait');
      const failed = await reach(uuid, 'inspect failed');
      expect(failed).toMatchObject({ target_provision_state: 'manageable', power_state: 'power off' });
      expect(failed.last_error).toMatch(/Ramdisk reported error: no disks found$/);
    }
    await api.provision(uuid, 'inspect');
    await reach(uuid, 'inspect wait');
    expect((await reach(uuid, 'manageable')).last_error).toBeNull();
  });

  it('leaves a cleaned node in maintenance with its fault until that is taken away', async () => {
    const faults = { rules: [{ fail: { step: 'clean' as const, times: 1, text: 'disk is on fire' } }] };
    const bench = await startBench({ faults });
    const { api, reach } = bench;
    const uuid = await bring(bench, 'manageable');
    await api.provision(uuid, 'provide');
    const text = `Clean step deploy.erase_devices_metadata failed on node ${uuid}. disk is on fire`;
    expect(await reach(uuid, 'clean failed')).toMatchObject({
      target_provision_state: 'available',
      last_error: text,
      maintenance: true,
      maintenance_reason: text,
      fault: 'clean failure',
      power_state: 'power off',
    });
    expect((await api.provision(uuid, 'manage')).status).toBe(202);
    const managed = await api.node(uuid);
    expect(managed).toMatchObject({ provision_state: 'manageable', maintenance: true, last_error: text });
    expect((await api.delete(`/v1/nodes/${uuid}/maintenance`)).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({ maintenance: false, maintenance_reason: null, fault: null });
    await api.provision(uuid, 'provide');
    expect((await reach(uuid, 'available')).last_error).toBeNull();
  });

  it('may show its error later than its state, as a real deployment does', async () => {
    const faults = { rules: [{ fail: { step: 'deploy' as const, always: true as const, errorDelaySeconds: 2 } }] };
    const bench = await startBench({ faults });
    const uuid = await bring(bench, 'available');
    await bench.api.patch(`/v1/nodes/${uuid}`, image);
    await bench.api.provision(uuid, 'active');
    expect((await bench.reach(uuid, 'deploy failed')).last_error).toBeNull();
    bench.clock.advance(2000);
    expect((await bench.api.node(uuid)).last_error).toContain('Deploy step deploy.write_image failed');
  });

  it('of servicing refuses the abort until maintenance is off', async () => {
    const faults = { rules: [{ fail: { step: 'service' as const, always: true as const } }] };
    const bench = await startBench({ faults });
    const uuid = await bring(bench, 'active');
    await bench.api.provision(uuid, 'service', { service_steps: [{ interface: 'bios', step: 'factory_reset' }] });
    expect(await bench.reach(uuid, 'service failed')).toMatchObject({ fault: 'service failure', maintenance: true });
    expect((await bench.api.provision(uuid, 'abort')).status).toBe(409);
    await bench.api.delete(`/v1/nodes/${uuid}/maintenance`);
    expect((await bench.api.provision(uuid, 'abort')).status).toBe(202);
    expect(await bench.api.node(uuid)).toMatchObject({ provision_state: 'active', power_state: 'power on' });
  });

  it.each([
    ['undeploy', 'active', 'deleted', 'error', null],
    ['adopt', 'manageable', 'adopt', 'adopt failed', 'active'],
  ] as const)('of %s ends in the state of a real one', async (step, from, verb, state, target) => {
    const bench = await startBench({ faults: { rules: [{ fail: { step, always: true } }] } });
    const uuid = await bring(bench, from);
    await bench.api.provision(uuid, verb);
    const node = await bench.reach(uuid, state);
    expect(node.target_provision_state).toBe(target);
    expect(node.last_error).not.toBeNull();
  });
});

describe('other conditions of a host', () => {
  it('slow down, forbid soft power off, report bad health', async () => {
    const rules = [
      { match: { mac: '52:54:*' }, slow: 5, softPowerOff: 'unsupported' as const, health: 'Critical' as const },
    ];
    const bench = await startBench({ faults: { rules } });
    const { api, clock } = bench;
    const uuid = await enroll(api);
    await api.provision(uuid, 'manage');
    clock.advance(4900);
    expect((await api.node(uuid)).provision_state).toBe('verifying');
    clock.advance(200);
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', health: 'Critical' });
    const soft = await api.put(`/v1/nodes/${uuid}/states/power`, { target: 'soft power off', timeout: 180 });
    expect([soft.status, errorOf(soft).faultstring]).toEqual([
      400,
      'The driver redfish does not support the power state, soft power off',
    ]);
  });
});

describe('a fault of the API itself', () => {
  it('answers with a status, breaks the connection, answers late or never', async () => {
    const bench = await startBench({
      faults: {
        api: [
          { match: { method: 'PATCH', path: '/v1/nodes/*' }, times: 1, status: 503, text: 'no free worker' },
          { match: { path: '/v1/conductors' }, times: 1, reset: true },
          { match: { path: '/v1/drivers' }, times: 1, hang: true },
          { match: { path: '/v1/ports' }, delaySeconds: 10 },
        ],
      },
    });
    const { api, clock } = bench;
    const uuid = await enroll(api, {}, false);
    const patch = () => api.patch(`/v1/nodes/${uuid}`, []);
    const busy = await patch();
    expect([busy.status, errorOf(busy).faultstring]).toEqual([503, 'no free worker']);
    expect((await patch()).status).toBe(200);
    await expect(api.get('/v1/conductors')).rejects.toThrow();
    expect((await api.get('/v1/conductors')).status).toBe(200);
    const hanging = fetch(`${api.root}/v1/drivers`, { signal: AbortSignal.timeout(150) });
    await expect(hanging).rejects.toThrow();
    const late = api.get('/v1/ports');
    while (clock.untilNext === null || clock.untilNext > 10_000) await clock.advanceAsync(0);
    await clock.advanceAsync(10_000);
    expect((await late).status).toBe(200);
  });
});
