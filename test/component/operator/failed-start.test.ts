/** `ironchart run` and `up` that cannot begin: they end, with the reason, whatever of them runs already. */
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
const port = () => `${(taken.address() as AddressInfo).port}`;
const address = () => `127.0.0.1:${port()}`;

async function expectRefusal(args: readonly string[], reason: RegExp): Promise<void> {
  const { code, stderr } = await runProgram([...args]);
  expect([code, stderr.split('\n').filter((line) => line.startsWith('ironchart:')).length]).toEqual([2, 1]);
  expect(stderr).toMatch(reason);
}

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
    await expectRefusal(['run', '--provisioner', 'demo', '--kubeconfig', kubeconfig, ...flags()], reason);
  });
});

describe('`up` ends at once, with the reason', () => {
  it.each<[string, () => string[], RegExp]>([
    [
      'a port for the Kubernetes API that is taken',
      () => ['--kube-port', port()],
      /--kube-port: \d+ cannot be listened on: .*; give another, or 0 for a free one/,
    ],
    [
      'a port for the Ironic that is taken, while the Kubernetes API is served',
      () => ['--ironic-port', port()],
      /--ironic-port: \d+ cannot be listened on/,
    ],
    ['a port that is none', () => ['--kube-port', '65536'], /--kube-port: 65536 is no port/],
    [
      'a port for an Ironic that is not needed',
      () => ['--provisioner', 'demo', '--ironic-port', '6385'],
      /--ironic-port: the provisioner demo needs no Ironic; leave it out/,
    ],
  ])('for %s', async (_what, flags, reason) => {
    await expectRefusal(['up', '--empty', ...flags()], reason);
  });
});
