/** `ironchart run` that is asked to end. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { customResourceDefinitions } from '../../../src/apis/index.js';
import { SystemClock } from '../../../src/clock.js';
import { EmbeddedKubeServer } from '../../../src/embedded/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { testCertificate, testKey } from '../../support/test-certificate.js';
import { beginProgram, UpFolder } from '../../support/up-process.js';

jest.setTimeout(60_000);

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const tell = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => tell(true)).once('error', () => tell(false));
  });
}

describe('`run`, asked to end', () => {
  const folder = new UpFolder();
  let isLeaseSilent = false;
  let isLeaseAsked = false;
  const kube = new EmbeddedKubeServer({
    crds: customResourceDefinitions() as never,
    clock: new SystemClock(),
    fault: ({ resource }) => {
      if (!isLeaseSilent || !resource.startsWith('leases.')) return undefined;
      isLeaseAsked = true;
      return 'hang';
    },
  });
  beforeAll(() => kube.start());
  afterAll(async () => {
    await kube.stop();
    folder.remove();
  });

  it('lets its webhooks answer as long as it may write, and ends at once when it is asked again', async () => {
    folder.file('tls.crt', testCertificate);
    folder.file('tls.key', testKey);
    const port = await freePort();
    const program = beginProgram([
      ...['run', '--provisioner', 'demo', '--kubeconfig', folder.file('kubeconfig', kube.kubeconfig())],
      ...['--namespace', 'default', '--enable-leader-election'],
      ...['--webhook-port', String(port), '--webhook-cert-dir', folder.path],
    ]);
    try {
      await eventually('it works', () => program.texts().stderr.includes('the operator works'));
      expect(await isListening(port)).toBe(true);
      isLeaseSilent = true;
      program.signal('SIGTERM');
      // Given back as the last thing that it does on the cluster.
      await eventually('the lease is asked for', () => isLeaseAsked);
      expect(await isListening(port)).toBe(true);
      program.signal('SIGTERM');
      expect((await program.ended).code).toBe(130);
    } finally {
      program.signal('SIGKILL');
    }
  });
});
