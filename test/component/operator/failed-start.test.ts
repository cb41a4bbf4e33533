/** `ironchart run` that cannot begin: it ends, with the reason, whatever of it runs already. */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { runProgram, UpFolder } from '../../support/up-process.js';

jest.setTimeout(60_000);

const folder = new UpFolder();
let taken: Server;
beforeAll(async () => {
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  folder.remove();
  taken.close();
});

/** Nobody is there, and nobody has to be. */
const kubeconfig = folder.file(
  'kubeconfig',
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'none' },
    clusters: [{ name: 'none', cluster: { server: 'http://127.0.0.1:9' } }],
    users: [{ name: 'nobody', user: {} }],
    contexts: [{ name: 'none', context: { cluster: 'none', user: 'nobody' } }],
  }),
);
const address = () => `127.0.0.1:${(taken.address() as AddressInfo).port}`;

describe('`run` ends at once, with the reason', () => {
  it.each<[string, () => string[], RegExp]>([
    [
      'an address for the metrics that is taken, while the probes are served',
      () => ['--health-addr', '127.0.0.1:0', '--metrics-addr', address()],
      /--metrics-addr: 127\.0\.0\.1:\d+ cannot be listened on/,
    ],
    [
      'an address for the probes that is taken, while the inspector is served',
      () => ['--inspect', '--health-addr', address()],
      /--health-addr: 127\.0\.0\.1:\d+ cannot be listened on/,
    ],
    ['a port for the webhooks that is none', () => ['--webhook-port', '70000'], /--webhook-port: 70000 is no port/],
  ])('for %s', async (_what, flags, reason) => {
    const { code, stderr } = await runProgram(['run', '--provisioner', 'demo', '--kubeconfig', kubeconfig, ...flags()]);
    expect([code, stderr.split('\n').filter((line) => line.startsWith('ironchart:')).length]).toEqual([2, 1]);
    expect(stderr).toMatch(reason);
  });
});
