/** The admission server as `ironchart run` is told to have it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTLS, type ConnectionOptions } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseFlags } from '../../../src/cli/flags.js';
import { runCommand } from '../../../src/cli/run-command.js';
import { webhookServer, type WebhookParts } from '../../../src/cli/webhooks.js';
import { createLog } from '../../../src/observability/log.js';
import { Metrics } from '../../../src/observability/metrics.js';
import { FakeClock } from '../../support/fake-clock.js';
import { freePort } from '../../support/free-port.js';
import { testCertificate, testKey } from '../../support/test-certificate.js';

describe('the webhooks of `ironchart run`', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'webhook-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const served = (argv: string[], environment: Record<string, string> = {}, parts: Partial<WebhookParts> = {}) =>
    webhookServer(parseFlags(runCommand(environment), [`--webhook-cert-dir=${folder}`, ...argv]), environment, {
      api: () => ({ get: () => Promise.resolve(undefined), patch: () => Promise.reject(new Error('no')) }),
      ...{ clock: new FakeClock(), log: createLog('silent'), metrics: new Metrics(), hosts: () => [], ...parts },
    });
  const certify = () => {
    writeFileSync(join(folder, 'tls.crt'), testCertificate);
    writeFileSync(join(folder, 'tls.key'), testKey);
  };

  it('are off without a certificate, unless they are asked for', () => {
    expect(served([])).toBeUndefined();
    expect(served(['--webhook-port=9443'])).toBeDefined();
  });

  it('are on where there is a certificate, unless they are turned off', () => {
    certify();
    expect(served([])).toBeDefined();
    expect(served(['--webhook-port=0'])).toBeUndefined();
  });

  it('are ready once they listen', async () => {
    certify();
    const port = await freePort();
    const server = served([`--webhook-port=${port}`])!;
    expect(server.isReady).toBe(false);
    await server.start();
    try {
      expect([server.isReady, server.port]).toEqual([true, port]);
    } finally {
      await server.stop();
    }
  });

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['no configuration', ['--webhook-service=s'], { POD_NAMESPACE: 'n' }, /^--webhook-configuration: is missing/],
    ['no namespace', ['--webhook-service=s', '--webhook-configuration=c'], {}, /^POD_NAMESPACE: is not set/],
    ['no version', ['--tls-min-version=TLS10'], {}, /^--tls-min-version: /],
    ['no version, though they are off', ['--webhook-port=0', '--tls-max-version=TLS10'], {}, /^--tls-max-version: /],
    ['no number', ['--webhook-port=https'], {}, /^--webhook-port: /],
    ['no port', ['--webhook-port=70000'], {}, /^--webhook-port: /],
  ])('are refused with %s', (_, argv, environment, message) => {
    expect(() => served(argv, environment)).toThrow(message);
  });

  describe('by the flags about TLS', () => {
    const aes128 = 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256';
    const aes256 = 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384';

    /** What a client gets that offers no more than this: version and cipher of the connection, or `refused`. */
    const connect = (port: number, offer: ConnectionOptions) =>
      new Promise<string>((resolve) => {
        const socket = connectTLS({ host: '127.0.0.1', port, ca: testCertificate, ...offer }, () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
          socket.destroy();
        });
        socket.on('error', (error) =>
          resolve(/alert|protocol|handshake/i.test(error.message) ? 'refused' : String(error)),
        );
      });
    const old = { maxVersion: 'TLSv1.2' } as const;
    const weaker = { ...old, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' };
    const stronger = { ...old, ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' };

    it.each<[string[], ConnectionOptions, string]>([
      [[], old, 'TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256'],
      [['--tls-min-version=TLS13'], {}, 'TLSv1.3 TLS_AES_256_GCM_SHA384'],
      [['--tls-min-version=TLS13'], old, 'refused'],
      [['--tls-max-version=TLS12'], {}, 'TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256'],
      [['--tls-max-version=TLS12'], { minVersion: 'TLSv1.3' }, 'refused'],
      [[`--tls-cipher-suites=${aes256}`], stronger, 'TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384'],
      [[`--tls-cipher-suites=${aes256}`], weaker, 'refused'],
      [[`--tls-cipher-suites=${aes128}`], weaker, 'TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256'],
      [[`--tls-cipher-suites=${aes128}`], stronger, 'refused'],
      [['--tls-curve-preferences=CurveP384'], { ecdhCurve: 'P-384' }, 'TLSv1.3 TLS_AES_256_GCM_SHA384'],
      [['--tls-curve-preferences=CurveP384'], { ecdhCurve: 'P-256' }, 'refused'],
    ])('%j answer a client that offers %j: %s', async (flags, offer, outcome) => {
      certify();
      const server = served([`--webhook-port=${await freePort()}`, ...flags])!;
      await server.start();
      try {
        expect(await connect(server.port, offer)).toBe(outcome);
      } finally {
        await server.stop();
      }
    });
  });

  it('make a certificate for the Service that they are told of', () => {
    const argv = ['--webhook-service=s', '--webhook-configuration=c'];
    expect(served(argv, { POD_NAMESPACE: 'n' })).toBeDefined();
  });
});
