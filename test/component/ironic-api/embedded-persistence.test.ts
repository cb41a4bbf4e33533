import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bring, enroll, startBench, stopBenches } from './harness.js';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ironic-'));
});
afterEach(async () => {
  await stopBenches();
  rmSync(dataDir, { recursive: true });
});

describe('the database on disk', () => {
  it('has every change when the process is gone without a word', async () => {
    const first = await startBench({ dataDir });
    const kept = await bring(first, 'active');
    const gone = await enroll(first.api);
    await first.api.delete(`/v1/nodes/${gone}`);
    // Nobody stops the first server: what it wrote must be enough.
    const second = await startBench({ dataDir });
    expect(second.ironic.nodes()).toEqual([first.ironic.node(kept)]);
    const ports = async (bench: typeof first) =>
      (await bench.api.get('/v1/ports?fields=uuid,address')).body.ports.length;
    expect(await ports(second)).toBe(await ports(first));
    expect(second.ironic.nodes()[0]).toMatchObject({ provision_state: 'active', power_state: 'power on' });
  });

  it('goes on with what was under way', async () => {
    const first = await startBench({ dataDir });
    const rebooting = await bring(first, 'manageable');
    const cleaning = await bring(first, 'manageable');
    await first.api.provision(cleaning, 'provide');
    await first.reach(cleaning, 'clean wait');
    await first.api.put(`/v1/nodes/${rebooting}/states/power`, { target: 'power on' });
    await first.ironic.stop();
    const second = await startBench({ dataDir });
    expect((await second.api.node(cleaning)).provision_state).toBe('clean wait');
    await second.reach(cleaning, 'available');
    expect(await second.api.node(rebooting)).toMatchObject({ power_state: 'power on', reservation: null });
  });

  it('does not mind a torn last line, and says when another line is unreadable', async () => {
    const first = await startBench({ dataDir });
    const uuid = await enroll(first.api);
    await first.ironic.stop();
    const file = join(dataDir, 'ironic.jsonl');
    appendFileSync(file, 'no json\n{"nodeDeleted":"');
    const warnings: string[] = [];
    const second = await startBench({ dataDir, onWarning: (text) => warnings.push(text) });
    expect(second.ironic.nodes().map((node) => node.uuid)).toEqual([uuid]);
    expect(warnings).toEqual([expect.stringMatching(/ironic\.jsonl: line \d+ cannot be read/)]);
  });

  it('is rewritten to its contents at each start, for its owner alone', async () => {
    const first = await startBench({ dataDir });
    const uuid = await bring(first, 'available');
    await first.ironic.stop();
    const lines = () => readFileSync(join(dataDir, 'ironic.jsonl'), 'utf8').trim().split('\n').length;
    const before = lines();
    const second = await startBench({ dataDir });
    const ports = (await second.api.get(`/v1/ports?node_uuid=${uuid}`)).body.ports as unknown[];
    expect(lines()).toBe(1 + ports.length);
    expect(before).toBeGreaterThan(lines());
    expect(statSync(join(dataDir, 'ironic.jsonl')).mode & 0o777).toBe(0o600);
  });

  it('is served on the same port after an outage, with a folder or without', async () => {
    for (const options of [{ dataDir }, {}]) {
      const { api, ironic, reach } = await startBench(options);
      const uuid = await enroll(api);
      await api.provision(uuid, 'manage');
      await ironic.stop();
      await expect(api.node(uuid)).rejects.toThrow();
      await ironic.start();
      expect((await api.node(uuid)).provision_state).toBe('verifying');
      await reach(uuid, 'manageable');
    }
  });

  it('is empty after it was lost', async () => {
    const first = await startBench({ dataDir });
    await bring(first, 'available');
    first.ironic.emptyDatabase();
    expect((await first.api.get('/v1/nodes')).body.nodes).toEqual([]);
    const second = await startBench({ dataDir });
    expect(second.ironic.nodes()).toEqual([]);
  });
});
