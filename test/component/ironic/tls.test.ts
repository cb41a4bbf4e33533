import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IronicConfig } from '../../../src/provisioner/ironic/index.js';
import { IronicProvisionerFactory } from '../../../src/provisioner/ironic/index.js';
import { ironicConfig, steady, StillClock } from '../../support/ironic-host.js';
import { testCertificate, testKey } from '../../support/test-certificate.js';

const version = { id: 'v1', status: 'CURRENT', min_version: '1.1', version: '1.95' };
let folder: string;
let server: Server;

beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'ironic-tls-'))));
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

async function serve(clientMustShowCertificate = false): Promise<void> {
  const mutual = { requestCert: true, rejectUnauthorized: true, ca: testCertificate };
  const options = { cert: testCertificate, key: testKey, ...(clientMustShowCertificate && mutual) };
  server = createServer(options, ({ url }, response) => {
    response.end(JSON.stringify(url === '/v1/' ? { version } : { drivers: [{ name: 'ipmi' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

function factory(changes: Partial<IronicConfig> = {}): IronicProvisionerFactory {
  const endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const config = ironicConfig(endpoint, { readinessTTLMs: 0, caFile: join(folder, 'ca.crt'), ...changes });
  return new IronicProvisionerFactory({ config, clock: new StillClock(), random: steady });
}

describe('TLS to Ironic', () => {
  it('trusts the configured authority, and sees it when it appears', async () => {
    await serve();
    const ironic = factory();
    await expect(ironic.ready()).rejects.toMatchObject({
      code: 'PROVISIONER_NOT_READY',
      cause: { code: 'IRONIC_UNREACHABLE' },
    });
    await writeFile(join(folder, 'ca.crt'), testCertificate);
    expect((await ironic.ready()).version.microversion).toBe('1.95');
    await ironic.close();
  });

  it('trusts anything when told to', async () => {
    await serve();
    const ironic = factory({ insecure: true });
    expect((await ironic.ready()).version.microversion).toBe('1.95');
    await ironic.close();
  });

  it('shows the client certificate that it has', async () => {
    await serve(true);
    await writeFile(join(folder, 'ca.crt'), testCertificate);
    const files = { certificateFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
    const ironic = factory(files);
    await expect(ironic.ready()).rejects.toMatchObject({ code: 'PROVISIONER_NOT_READY' });
    await writeFile(files.certificateFile, testCertificate);
    await writeFile(files.keyFile, testKey);
    expect((await ironic.ready()).version.microversion).toBe('1.95');
    await ironic.close();
  });
});
