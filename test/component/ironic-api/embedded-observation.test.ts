import { afterEach, describe, expect, it } from '@jest/globals';
import { bring, enroll, image, startBench, stopBenches } from './harness.js';

afterEach(stopBenches);

describe('what tests can see', () => {
  it('counts calls by method and route', async () => {
    const { api, ironic } = await startBench();
    const uuid = await enroll(api, {}, false);
    ironic.resetRequestCounts();
    await api.node(uuid);
    await api.get(`/nodes/${uuid}`);
    await api.get('/v1/nodes?fields=uuid');
    expect(ironic.requestCounts()).toEqual({ 'GET /v1/nodes': 1, 'GET /v1/nodes/{node}': 2 });
  });

  it('tells deployments and power changes by request apart from consequences', async () => {
    const bench = await startBench();
    const uuid = await bring(bench, 'active');
    const actions = (by: string) =>
      bench.ironic
        .history()
        .filter((entry) => entry.node === uuid && entry.by === by)
        .map((entry) => entry.action);
    expect(actions('request')).toEqual(['create', 'manage', 'provide', 'active']);
    expect(actions('conductor')).toContain('power on');
  });

  it('keeps the most nodes that were busy at once, by kind of boot', async () => {
    const bench = await startBench();
    const media = [await bring(bench, 'manageable'), await bring(bench, 'manageable')];
    const network = [];
    for (let host = 0; host < 3; host++) network.push(await bring(bench, 'manageable', { boot_interface: 'ipxe' }));
    expect(bench.ironic.maxBusy()).toEqual({ network: 0, 'virtual-media': 0 });
    for (const uuid of [...media, ...network]) await bench.api.provision(uuid, 'inspect');
    await bench.settled();
    expect(bench.ironic.maxBusy()).toEqual({ network: 3, 'virtual-media': 2 });
  });

  it('changes a node behind the API, and the machine with it', async () => {
    const bench = await startBench();
    const uuid = await bring(bench, 'active');
    bench.ironic.setNode(uuid, { power_state: 'power off' });
    expect((await bench.api.node(uuid)).power_state).toBe('power off');
  });
});

describe('a client that asks what changed', () => {
  it('sees each change exactly once by following the time of the last one', async () => {
    const bench = await startBench();
    const uuids: string[] = [];
    for (let host = 0; host < 5; host++) uuids.push(await bring(bench, 'manageable'));
    const newest = async () =>
      (await bench.api.get('/v1/nodes?sort_key=provision_updated_at&sort_dir=desc&fields=uuid,provision_updated_at'))
        .body.nodes as { uuid: string; provision_updated_at: string }[];
    const seen = (await newest())[0]?.provision_updated_at ?? '';
    for (const uuid of [uuids[3], uuids[1]]) await bench.api.provision(uuid ?? '', 'inspect');
    const changed = (await newest()).filter((node) => node.provision_updated_at > seen);
    expect(changed.map((node) => node.uuid)).toEqual([uuids[1], uuids[3]]);
  });

  it('reads long lists page by page, each node once', async () => {
    const { api } = await startBench({ maxLimit: 4 });
    const made = new Set<string>();
    for (let host = 0; host < 10; host++) made.add(await enroll(api, {}, false));
    const found: string[] = [];
    let path: string | undefined = '/v1/nodes?sort_key=updated_at&fields=uuid';
    while (path !== undefined) {
      const { body } = await api.get(path);
      found.push(...(body.nodes as { uuid: string }[]).map((node) => node.uuid));
      path = body.next === undefined ? undefined : String(body.next).slice(api.root.length);
    }
    expect(found).toHaveLength(made.size);
    expect(new Set(found)).toEqual(made);
  });
});

describe('a fleet of a thousand', () => {
  it('goes from enroll to active in a few seconds of processing', async () => {
    const bench = await startBench({ phases: { phaseSeconds: 0.2 } });
    const { api, ironic } = bench;
    const uuids: string[] = [];
    for (let host = 0; host < 1000; host++) uuids.push(await enroll(api, {}, false));
    const all = async (verb: string) => {
      for (const uuid of uuids) await api.provision(uuid, verb);
      await bench.settled();
    };
    await all('manage');
    await all('provide');
    for (const uuid of uuids) await api.patch(`/v1/nodes/${uuid}`, image);
    await all('active');
    expect(ironic.nodes().filter((node) => node.provision_state === 'active')).toHaveLength(1000);
    const { body } = await api.get('/v1/nodes/detail');
    expect(body.nodes).toHaveLength(1000);
  }, 60_000);
});
