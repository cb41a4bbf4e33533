import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestRecord } from '../../../src/provisioner/ironic/index.js';
import { hostAccess, inspectData, ironicConfig, StillClock, testFactory, testHost } from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const node = `nodes/${nodeUUID}`;
const readiness = ['GET /v1/', 'GET /v1/drivers'];
const asked = () => mock.requests.map(({ method, path }) => `${method} ${path}`);

describe('readiness', () => {
  it('asks for the version and the drivers, once for all who wait and for as long as it is fresh', async () => {
    const clock = new StillClock();
    const factory = testFactory(mock, { factory: { clock } });
    await Promise.all([factory.ready(), factory.ready(), factory.ready()]);
    await factory.ready();
    expect(asked()).toEqual(readiness);
    clock.ms += 5001;
    await factory.ready();
    expect(asked()).toEqual([...readiness, ...readiness]);
  });

  it('is asked for each time when it is not to be kept', async () => {
    const factory = testFactory(mock, { config: { readinessTTLMs: 0 } });
    await factory.ready();
    await factory.ready();
    expect(asked()).toEqual([...readiness, ...readiness]);
  });

  it.each([500, 502, 404])('is missing when the API answers %d', async (status) => {
    mock.on('GET', '/v1/', { status });
    await expect(testHost(mock)).rejects.toMatchObject({
      code: 'PROVISIONER_NOT_READY',
      message: expect.stringContaining(`got ${status} instead`),
    });
    expect(asked()).toEqual(['GET /v1/']);
  });

  it('is missing when nothing listens', async () => {
    const { endpoint } = mock;
    await mock.stop();
    mock = await MockIronic.start();
    await expect(testHost(mock, { config: { endpoint } })).rejects.toMatchObject({ code: 'PROVISIONER_NOT_READY' });
  });

  it('is missing while no driver is loaded, and comes back', async () => {
    mock.on('GET', '/v1/drivers', { body: { drivers: [] } }, { body: { drivers: [{ name: 'ipmi' }] } });
    const factory = testFactory(mock);
    await expect(factory.ready()).rejects.toMatchObject({ code: 'PROVISIONER_NOT_READY' });
    await factory.ready();
  });

  it.each([
    { version: { id: 'v1', status: 'CURRENT', min_version: '1.1', version: '1.88' } },
    { version: { id: 'v1', status: 'CURRENT', min_version: '1.1', version: '2.95' } },
    { version: { id: 'v1', status: 'CURRENT', version: '1.95' } },
    { version: { id: 'v1', status: 'GONE', min_version: '1.1', version: '1.95' } },
    { versions: [] },
    { versions: [{ id: 'v1' }, { id: 'v2' }] },
    {},
    'not JSON',
  ])('is missing when the API says %j', async (body) => {
    mock.on('GET', '/v1/', { body });
    await expect(testHost(mock)).rejects.toMatchObject({ code: 'PROVISIONER_NOT_READY' });
  });

  it('takes a list of one version', async () => {
    const version = { id: 'v1', status: 'CURRENT', min_version: '1.1', max_version: '1.93' };
    mock.on('GET', '/v1/', { status: 300, body: { versions: [version] } });
    expect((await testFactory(mock).ready()).version.microversion).toBe('1.93');
  });

  it('adds the slash that an endpoint lacks', async () => {
    await testFactory(mock, { config: { endpoint: `${mock.origin}/v1` } }).ready();
    expect(asked()).toEqual(readiness);
  });
});

describe('versions', () => {
  it.each([
    ['1.89', '1.89', []],
    ['1.94', '1.93', ['vmediaQuery']],
    ['1.95', '1.95', ['vmediaQuery', 'disablePowerOff']],
    ['1.109', '1.109', ['vmediaQuery', 'disablePowerOff', 'health']],
    ['1.200', '1.110', ['vmediaQuery', 'disablePowerOff', 'health', 'abortDeploy']],
  ])('of an Ironic at %s are spoken as %s', async (offered, spoken, features) => {
    await mock.stop();
    mock = await MockIronic.start(offered);
    const { version } = await testFactory(mock).ready();
    expect(version.microversion).toBe(spoken);
    expect(
      Object.entries(version.features)
        .filter(([, has]) => has)
        .map(([name]) => name),
    ).toEqual(features);
    const [discovery, drivers] = mock.requests;
    expect(discovery!.headers).not.toHaveProperty('x-openstack-ironic-api-version');
    expect(drivers!.headers).toMatchObject({
      accept: 'application/json',
      'x-openstack-ironic-api-version': spoken,
      'openstack-api-version': `baremetal ${spoken}`,
    });
  });
});

describe('authentication', () => {
  let root: string;
  const config = () => ({ authDirectory: join(root, 'ironic'), readinessTTLMs: 0 });
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ironic-auth-'));
    await mkdir(join(root, 'ironic'));
  });
  afterEach(() => rm(root, { recursive: true }));
  const write = async (name: string, text: string, at: number) => {
    await writeFile(join(root, 'ironic', name), text);
    await utimes(join(root, 'ironic', name), at, at);
  };
  const sent = () => mock.requests.map((r) => r.headers.authorization);
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it('is by the files, in their present version, and not before the version is known', async () => {
    await write('username', ' u\n', 1);
    await write('password', 'p1\n', 1);
    const factory = testFactory(mock, { config: config() });
    await factory.ready();
    expect(sent()).toEqual([undefined, basic('u:p1')]);
    await write('password', 'p2', 2);
    await factory.ready();
    expect(sent().at(-1)).toBe(basic('u:p2'));
  });

  it.each([
    ['u', '', 'empty HTTP Basic Auth password'],
    [' ', 'p', 'empty HTTP Basic Auth username'],
  ])('with %j and %j is an error that says what is missing', async (username, password, problem) => {
    await write('username', username, 1);
    await write('password', password, 1);
    const attempt = testHost(mock, { config: config() });
    await expect(attempt).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(problem) });
    expect(mock.requests).toEqual([]);
  });

  it('with a file missing is an error', async () => {
    await write('username', 'u', 1);
    await expect(testHost(mock, { config: config() })).rejects.toThrow('missing HTTP Basic Auth password');
  });

  it('does not show in errors, even when Ironic repeats it', async () => {
    await write('username', 'u', 1);
    await write('password', 'sesame', 1);
    mock.on('GET', '/v1/drivers', { status: 401, body: 'wrong: sesame' });
    await expect(testHost(mock, { config: config() })).rejects.toMatchObject({
      message: expect.stringMatching(/got 401 instead: wrong: \*\*\*$/),
      cause: { code: 'IRONIC_UNAUTHORIZED' },
    });
  });

  it('by certificate needs its key', async () => {
    await write('tls.crt', 'x', 1);
    const certificateFile = join(root, 'ironic', 'tls.crt');
    const attempt = testHost(mock, { config: { certificateFile, keyFile: join(root, 'none') } });
    await expect(attempt).rejects.toThrow('a client certificate needs its private key');
  });
});

describe('errors', () => {
  const read = async (options = {}) => (await testHost(mock, options)).provisioner.updateHardwareState('preparing');

  it.each([
    [400, 'IRONIC_BAD_REQUEST', 'backoff'],
    [403, 'IRONIC_FORBIDDEN', 'backoff'],
    [406, 'IRONIC_NOT_ACCEPTABLE', 'backoff'],
    [409, 'IRONIC_CONFLICT', 'after'],
    [418, 'IRONIC_UNEXPECTED_STATUS', 'backoff'],
    [500, 'IRONIC_SERVER_ERROR', 'backoff'],
    [503, 'IRONIC_UNAVAILABLE', 'backoff'],
    [504, 'IRONIC_UNAVAILABLE', 'backoff'],
  ])('of status %d are %s', async (status, code, retry) => {
    mock.on('GET', `/v1/${node}`, { status, body: { error_message: { faultstring: 'because' } } });
    await expect(read()).rejects.toMatchObject({
      code,
      retry,
      status,
      message: `failed to find node by ID ${nodeUUID}: expected HTTP response code [200] when accessing [GET ${mock.endpoint}${node}], but got ${status} instead: because`,
    });
    expect(mock.sequence()).toEqual([`GET ${node}`]);
  });

  it('bound what they take over from an answer', async () => {
    mock.on('GET', `/v1/${node}`, { status: 500, body: 'x'.repeat(100_000) });
    const error = await read().catch((e: Error) => e);
    expect((error as Error).message.length).toBeLessThan(1500);
  });

  it('tell an answer that makes no sense', async () => {
    for (const body of ['<html>', '[]', '{}', '']) {
      mock.on('GET', `/v1/${node}`, { body });
      await expect(read()).rejects.toMatchObject({ code: 'IRONIC_BAD_ANSWER' });
    }
  });

  it('tell a time-out from an Ironic that is away', async () => {
    mock.on('GET', `/v1/${node}`, () => new Promise(() => undefined));
    await expect(read({ config: { timeoutMs: 100 } })).rejects.toMatchObject({ code: 'IRONIC_TIMEOUT' });
  });

  it('come at once when the pass is aborted', async () => {
    const controller = new AbortController();
    mock.on('GET', `/v1/${node}`, () => {
      controller.abort();
      return new Promise(() => undefined);
    });
    await expect(read({ signal: controller.signal })).rejects.toMatchObject({ code: 'IRONIC_ABORTED' });
  });

  it('tell a redirect to another host instead of following it', async () => {
    mock.on('GET', `/v1/${node}`, { status: 302, headers: { location: 'http://localhost:1/x' } });
    await expect(read()).rejects.toMatchObject({ code: 'IRONIC_UNEXPECTED_STATUS', status: 302 });
    mock.on('GET', `/v1/${node}`, { status: 302, headers: { location: '/v1/moved' } });
    mock.on('GET', '/v1/moved', { body: { uuid: nodeUUID, power_state: 'power on' } });
    expect(await read()).toEqual({ poweredOn: true });
  });
});

describe('metrics', () => {
  it('are told of each request without identifiers', async () => {
    const records: RequestRecord[] = [];
    mock.node({ provision_state: 'available' });
    mock.on('PUT', `/v1/${node}/states/provision`, { status: 503 });
    const { provisioner } = await testHost(mock, { factory: { onRequest: (record) => records.push(record) } });
    await expect(provisioner.inspectHardware(inspectData())).rejects.toThrow('503');
    expect(records.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
      'GET  200',
      'GET drivers 200',
      'GET nodes/{id} 200',
      'PUT nodes/{id}/states/provision 503',
    ]);
    expect(records.every(({ durationMs }) => durationMs >= 0)).toBe(true);
  });
});

describe('a factory', () => {
  it('tells its limit, lets a pass have its own view of nodes, and closes', async () => {
    const seen: string[] = [];
    const factory = testFactory(mock, {
      config: { provisioningLimit: 7 },
      factory: {
        reader: () => ({
          node: (id) => Promise.resolve(void seen.push(id)),
          nodeOfMAC: () => Promise.resolve(undefined),
          summaries: () => Promise.resolve([]),
          changed: () => undefined,
        }),
      },
    });
    expect([factory.name, factory.capacityLimit]).toEqual(['ironic', 7]);
    const provisioner = await factory.forHost(hostAccess(), () => undefined);
    await expect(provisioner.updateHardwareState('preparing')).rejects.toMatchObject({ code: 'NEEDS_REGISTRATION' });
    expect(seen).toEqual([nodeUUID]);
    await factory.close();
  });

  it('needs no Ironic to be made', () => {
    expect(ironicConfig('http://127.0.0.1:1').endpoint).toBe('http://127.0.0.1:1');
    expect(() => testFactory(mock, { config: { endpoint: 'http://127.0.0.1:1' } })).not.toThrow();
  });
});
