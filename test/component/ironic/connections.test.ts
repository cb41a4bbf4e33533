import { createServer as createPlainServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IronicConnections } from '../../../src/provisioner/ironic/connections.js';
import { IronicProvisionerFactory, type IronicEndpoint } from '../../../src/provisioner/ironic/index.js';
import { hostAccess, ironicConfig, steady, StillClock } from '../../support/ironic-host.js';
import { MockIronic } from '../../support/mock-ironic.js';
import { testCertificate, testKey } from '../../support/test-certificate.js';

const version = { id: 'v1', status: 'CURRENT', min_version: '1.1', version: '1.95' };
const drivers = { drivers: [{ name: 'ipmi' }] };
let mock: MockIronic;
let open: IronicConnections[] = [];
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(async () => {
  for (const connections of open) connections.close();
  open = [];
  await mock.stop();
});

function connectionsTo(...found: (IronicEndpoint | Error)[]): IronicConnections {
  const read = (): Promise<IronicEndpoint> => {
    const next = found.length > 1 ? found.shift()! : found[0]!;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  // Half a client certificate: to be minded only where TLS is spoken.
  const config = ironicConfig('http://unused.invalid', { certificateFile: import.meta.filename });
  const connections = new IronicConnections({ config, clock: new StillClock(), source: { read } });
  open.push(connections);
  return connections;
}

const endpoint = (changes: Partial<IronicEndpoint> = {}): IronicEndpoint => ({
  endpoint: mock.origin,
  auth: { username: 'u', password: 'p' },
  ca: undefined,
  ...changes,
});
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('an Ironic that is found out', () => {
  it('is spoken to without a version in the path, with its credentials', async () => {
    mock.on('GET', '/', { body: { name: 'OpenStack Ironic API', versions: [version] } });
    mock.on('GET', '/drivers', { body: drivers });
    const client = await connectionsTo(endpoint()).client();
    await client.checkSettings();
    expect(await client.speaking(await client.discover()).drivers()).toEqual(['ipmi']);
    expect(mock.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/', undefined],
      ['/drivers', basic('u:p')],
    ]);
  });

  it('is met over the same connection for as long as nothing changes', async () => {
    const other = await MockIronic.start();
    const connections = connectionsTo(
      endpoint(),
      endpoint(),
      endpoint({ auth: { username: 'u', password: 'p2' } }),
      endpoint({ endpoint: other.origin, auth: { username: 'u', password: 'p2' } }),
    );
    mock.on('GET', '/drivers', { body: drivers });
    other.on('GET', '/drivers', { body: drivers });
    const first = await connections.client();
    expect(await connections.client()).toBe(first);
    const second = await connections.client();
    expect(second).not.toBe(first);
    await second.drivers();
    expect(mock.requests.at(-1)!.headers.authorization).toBe(basic('u:p2'));
    await (await connections.client()).drivers();
    expect(other.requests).toHaveLength(1);
    // What was under way on the earlier connection still ends well.
    await expect(first.drivers()).resolves.toEqual(['ipmi']);
    await other.stop();
  });

  it('is missing with the words of whoever looked', async () => {
    const connections = connectionsTo(new Error('not reconciled yet'), endpoint());
    await expect(connections.client()).rejects.toThrow('not reconciled yet');
    await expect(connections.client()).resolves.toBeDefined();
  });
});

describe('a factory that finds its Ironic out', () => {
  it('drives hosts there, and passes on why there is none', async () => {
    mock.on('GET', '/', { body: { versions: [version] } }).on('GET', '/drivers', { body: drivers });
    mock.on('GET', '/nodes/n', { body: { uuid: 'n', power_state: 'power on' } });
    const answers = [() => Promise.reject(new Error('not reconciled yet')), () => Promise.resolve(endpoint())];
    const factory = new IronicProvisionerFactory({
      config: ironicConfig(''),
      clock: new StillClock(),
      random: steady,
      endpointSource: { read: () => (answers.length > 1 ? answers.shift()! : answers[0]!)() },
    });
    const host = () => factory.forHost(hostAccess({ provisionerID: 'n' }), () => undefined);
    await expect(host()).rejects.toThrow(/^not reconciled yet$/);
    expect(await (await host()).updateHardwareState('preparing')).toEqual({ poweredOn: true });
    await factory.close();
  });
});

describe('an Ironic that is found behind TLS', () => {
  let server: Server;
  beforeEach(async () => {
    server = createServer({ cert: testCertificate, key: testKey }, (_request, response) => {
      response.end(JSON.stringify({ versions: [version] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const secure = (ca: string | undefined, changes = {}) => {
    const { port } = server.address() as AddressInfo;
    const found = { endpoint: `https://127.0.0.1:${port}`, auth: { username: 'u', password: 'p' }, ca };
    const config = ironicConfig('http://unused.invalid', changes);
    const connections = new IronicConnections({
      config,
      clock: new StillClock(),
      source: { read: () => Promise.resolve(found) },
    });
    open.push(connections);
    return connections.client();
  };

  it('is trusted by the certificate that came with it', async () => {
    expect((await (await secure(testCertificate)).discover()).microversion).toBe('1.95');
    await expect((await secure(undefined)).discover()).rejects.toMatchObject({ code: 'IRONIC_UNREACHABLE' });
  });

  it('minds the other files of the settings', async () => {
    expect((await (await secure(undefined, { insecure: true })).discover()).microversion).toBe('1.95');
    const half = await secure(testCertificate, { certificateFile: import.meta.filename });
    await expect(half.checkSettings()).rejects.toThrow('a client certificate needs its private key');
  });
});

describe('an Ironic behind a proxy', () => {
  it('is reached through it', async () => {
    const asked: string[] = [];
    const proxy = createPlainServer().on('connect', ({ url = '', headers }, socket) => {
      asked.push(`${url} ${String(headers['proxy-authorization'])}`);
      const onward = connect(Number(new URL(mock.origin).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      socket.on('error', () => onward.destroy());
      onward.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    mock.on('GET', '/v1/drivers', { body: drivers });
    const { port } = proxy.address() as AddressInfo;
    const config = ironicConfig('http://ironic.invalid:6385/v1/', {
      proxy: { httpProxy: `http://u:p@127.0.0.1:${port}`, httpsProxy: '', noProxy: '' },
    });
    const connections = new IronicConnections({ config, clock: new StillClock() });
    expect(await (await connections.client()).drivers()).toEqual(['ipmi']);
    expect(asked).toEqual([`ironic.invalid:6385 ${basic('u:p')}`]);
    expect(mock.requests.at(-1)!.headers).not.toHaveProperty('proxy-authorization');
    connections.close();
    await new Promise((resolve) => proxy.close(resolve));
  });
});
