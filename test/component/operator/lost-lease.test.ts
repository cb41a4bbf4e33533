/** `ironchart run` under a Lease, as a process of its own: with which exit code it ends, and in what state it leaves the Lease. */
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { customResourceDefinitions } from '../../../src/apis/index.js';
import { SystemClock } from '../../../src/clock.js';
import { EmbeddedKubeServer } from '../../../src/embedded/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { type Ended, runProgram, UpFolder } from '../../support/up-process.js';

jest.setTimeout(90_000);

const folder = new UpFolder();
afterAll(() => folder.remove());

let server: EmbeddedKubeServer;
let ended: Promise<Ended>;
let lease: string;
const holder = async (): Promise<string> => {
  const answer = await fetch(lease);
  const { spec } = (await answer.json()) as { spec?: { holderIdentity?: string } };
  return spec?.holderIdentity ?? '';
};

beforeEach(async () => {
  server = new EmbeddedKubeServer({ crds: customResourceDefinitions() as never, clock: new SystemClock() });
  const { url } = await server.start();
  lease = `${url}/apis/coordination.k8s.io/v1/namespaces/default/leases/baremetal-operator`;
  const kubeconfig = folder.file('kubeconfig', server.kubeconfig());
  const nowhere = ['--health-addr', '0', '--metrics-addr', '0', '--webhook-port', '0'];
  const work = ['--provisioner', 'demo', '--namespace', 'default', '--enable-leader-election'];
  ended = runProgram(['run', '--kubeconfig', kubeconfig, ...work, ...nowhere], 10);
  await eventually('the lease', async () => (await holder()) !== '');
});

describe('an operator under a Lease', () => {
  it('ends with 3, and says why, when it can no longer renew it', async () => {
    await server.stop();
    const { code, stderr } = await ended;
    expect(code).toBe(3);
    expect(stderr).toContain('the lease is lost');
  });

  it('ends with 3, and leaves it alone, when another one has it', async () => {
    const body = JSON.stringify({ spec: { holderIdentity: 'another', renewTime: '2999-01-01T00:00:00.000000Z' } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    expect((await fetch(lease, { method: 'PATCH', headers, body })).status).toBe(200);
    expect((await ended).code).toBe(3);
    expect(await holder()).toBe('another');
    await server.stop();
  });
});
