/** The admission server by its wire protocol: HTTPS with a certificate that changes, and AdmissionReviews. */
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AdmissionServer,
  CertificateFiles,
  type HostView,
  type AdmissionServerOptions,
} from '../../../src/webhooks/index.js';
import { type Credentials, renewed } from '../../../src/webhooks/certificates/authority.js';
import { host, objectOf } from '../../support/admission.js';
import { eventually } from '../../support/eventually.js';
import { FakeClock } from '../../support/fake-clock.js';

const path = '/validate-metal3-io-v1alpha1-baremetalhost';

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly serial: string;
  readonly protocol: string | null;
}

describe('the admission server', () => {
  let folder: string;
  let clock: FakeClock;
  let server: AdmissionServer;
  let errors: string[];
  let hosts: HostView[] | undefined;
  let credentials: Credentials;

  const write = (certificate: string, key: string) => {
    writeFileSync(join(folder, 'tls.crt'), certificate);
    writeFileSync(join(folder, 'tls.key'), key);
  };
  const make = (options: Partial<AdmissionServerOptions> = {}) =>
    new AdmissionServer({
      ...{
        port: 0,
        host: '127.0.0.1',
        tls: { minVersion: 'TLSv1.2' },
        certificates: new CertificateFiles(folder),
        clock,
      },
      ...{ hosts: () => hosts, onError: (message: string) => void errors.push(message), ...options },
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'webhook-'));
    clock = new FakeClock(Date.now());
    credentials = renewed(undefined, ['localhost'], clock.now());
    write(credentials.certificate, credentials.key);
    errors = [];
    hosts = [];
    server = make();
  });
  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  /** The next look at the certificate, to its end: then it waits for the one after. */
  const look = async (ms: number) => {
    clock.advance(ms);
    await eventually('it has looked', () => clock.waiting === 1);
  };

  interface Request extends https.RequestOptions {
    readonly body?: string;
    readonly type?: string;
  }

  const send = ({ body = '', type = 'application/json', ...options }: Request = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const { port } = server;
      const to = { host: '127.0.0.1', servername: 'localhost', port, path, method: 'POST', ca: credentials.bundle };
      const headers = { 'content-type': type };
      const request = https.request({ ...to, headers, agent: false, ...options }, (response) => {
        const socket = response.socket as TLSSocket;
        const { serialNumber } = socket.getPeerCertificate();
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            ...{ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() },
            ...{ serial: serialNumber, protocol: socket.getProtocol() },
          }),
        );
      });
      request.on('error', reject);
      request.end(body);
    });

  const reviewOf = (operation: string, object: { kind: string } | null, oldObject: { kind: string } | null = null) => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u-1',
      kind: { group: 'metal3.io', version: 'v1alpha1', kind: (object ?? oldObject)?.kind },
      ...{ name: 'a', namespace: 'ns', operation, object, oldObject },
    },
  });
  const ask = async (review: object, to = path) => {
    const { status, body } = await send({ body: JSON.stringify(review), path: to });
    expect(status).toBe(200);
    return JSON.parse(body) as {
      apiVersion: string;
      kind: string;
      response: Record<string, unknown> & { status: object };
    };
  };

  it('allows what no rule is against', async () => {
    await server.start();
    expect(await ask(reviewOf('CREATE', host()))).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: 'u-1', allowed: true, status: { code: 200 } },
    });
  });

  it('refuses with a reason for people and with fields for programs', async () => {
    await server.start();
    const { response } = await ask(
      reviewOf('CREATE', host({ spec: { firmware: {}, disablePowerOff: true, online: false } })),
    );
    expect(response).toMatchObject({
      uid: 'u-1',
      allowed: false,
      status: {
        code: 403,
        reason: 'Forbidden',
        message: expect.stringMatching(/^\[spec\.firmware: .*, spec\.online: .*\]$/),
        details: {
          ...{ name: 'a', group: 'metal3.io', kind: 'baremetalhosts' },
          causes: [{ field: 'spec.firmware' }, { field: 'spec.online' }],
        },
      },
    });
    const one = await ask(reviewOf('CREATE', host({ spec: { firmware: {} } })));
    expect(one.response.status).toMatchObject({ message: expect.stringMatching(/^spec\.firmware: /) });
  });

  it('warns', async () => {
    await server.start();
    hosts = [host({ name: 'b', spec: { bootMACAddress: 'aa:bb:cc:dd:ee:ff' } })];
    const { response } = await ask(reviewOf('CREATE', host({ spec: { bootMACAddress: 'aa:bb:cc:dd:ee:ff' } })));
    expect(response).toMatchObject({ allowed: true, warnings: [expect.stringContaining('the host b')] });
  });

  it('judges each kind at its path, deletion of an attachment too', async () => {
    await server.start();
    const attachment = objectOf('HostNetworkAttachment', { spec: { mode: 'trunk', nativeVLAN: 1 } });
    const to = '/validate-metal3-io-v1alpha1-hostnetworkattachment';
    expect((await ask(reviewOf('DELETE', null, attachment), to)).response.allowed).toBe(true);
    hosts = undefined;
    expect((await ask(reviewOf('DELETE', null, attachment), to)).response.allowed).toBe(false);
    for (const [kind, spec] of [
      ['DataImage', { url: 'abc' }],
      ['HostClaim', { poweredOn: true, image: { url: 'abc' } }],
      ['HostFirmwareComponents', { updates: [{ component: 'bmc', url: 'abc' }] }],
      ['BMCEventSubscription', {}],
    ] as const) {
      const there = `/validate-metal3-io-v1alpha1-${kind.toLowerCase()}`;
      expect((await ask(reviewOf('CREATE', objectOf(kind, { spec })), there)).response.allowed).toBe(false);
    }
  });

  it.each([
    ['an object that cannot be read', reviewOf('CREATE', host({ spec: { online: 'yes' } })), /^spec\.online: /],
    ['an operation that it does not know', reviewOf('CONNECT', host()), /CONNECT/],
    [
      'no object',
      { ...reviewOf('CREATE', host()), request: { ...reviewOf('CREATE', host()).request, object: null } },
      /./,
    ],
  ])('answers 400 to %s', async (_, review, message) => {
    await server.start();
    const { response } = await ask(review);
    expect(response).toMatchObject({ uid: 'u-1', allowed: false });
    expect(response.status).toMatchObject({ code: 400, message: expect.stringMatching(message) });
  });

  it.each<[string, number, Request]>([
    ['another path', 404, { path: '/validate-x', body: '{}' }],
    ['another method', 405, { method: 'GET' }],
    ['another type', 415, { type: 'text/plain', body: '{}' }],
    ['no JSON', 400, { body: '{' }],
    ['no review', 400, { body: '{"kind":"AdmissionReview"}' }],
    ['nothing', 400, { body: 'null' }],
    ['a review of another kind', 400, { body: JSON.stringify(reviewOf('CREATE', objectOf('DataImage', {}))) }],
    ['too much', 413, { body: JSON.stringify({ x: 'x'.repeat(8_000_000) }) }],
  ])('refuses %s', async (_, status, request) => {
    await server.start();
    expect((await send(request)).status).toBe(status);
    expect((await ask(reviewOf('CREATE', host()))).response.allowed).toBe(true);
  });

  it('takes a new certificate over without an interruption', async () => {
    await server.start();
    const before = await send();
    const next = renewed({ ...credentials, certificate: 'x' }, ['localhost'], clock.now());
    write(next.certificate, 'no key');
    await look(10_000);
    expect(errors).toHaveLength(1);
    expect((await send()).serial).toBe(before.serial);
    credentials = next;
    write(next.certificate, next.key);
    await look(10_000);
    const after = await send();
    expect(after.serial).not.toBe(before.serial);
    expect(server.isReady).toBe(true);
  });

  it('waits for a certificate, and listens once there is one', async () => {
    rmSync(join(folder, 'tls.key'));
    await server.start();
    expect([server.isReady, server.port]).toEqual([false, 0]);
    write(credentials.certificate, credentials.key);
    await look(5_000);
    expect((await ask(reviewOf('CREATE', host()))).response.allowed).toBe(true);
  });

  it('holds to the versions of TLS that it is given', async () => {
    await server.stop();
    server = make({ tls: { minVersion: 'TLSv1.3' } });
    await server.start();
    expect((await send()).protocol).toBe('TLSv1.3');
    await expect(send({ maxVersion: 'TLSv1.2' })).rejects.toThrow(/protocol|alert/i);
  });

  it('names a port that it cannot have', async () => {
    await server.start();
    const second = make({ port: server.port });
    await expect(second.start()).rejects.toMatchObject({ code: 'INVALID_INPUT', message: /--webhook-port/ });
    await second.stop();
  });

  it('listens as soon as its port can be had, where that was taken when the certificate came', async () => {
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    rmSync(join(folder, 'tls.key'));
    server = make({ port: (other.address() as AddressInfo).port });
    await server.start();
    write(credentials.certificate, credentials.key);
    await look(5_000);
    await look(5_000);
    expect(errors).toEqual([expect.stringContaining('cannot be listened on')]);
    expect(server.isReady).toBe(false);
    await new Promise((resolve) => other.close(resolve));
    await look(5_000);
    expect((await ask(reviewOf('CREATE', host()))).response.allowed).toBe(true);
  });

  it('stops for good', async () => {
    await server.start();
    await server.stop();
    expect(clock.waiting).toBe(0);
    await expect(send()).rejects.toThrow();
  });
});
