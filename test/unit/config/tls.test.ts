import { describe, expect, it } from '@jest/globals';
import { tlsSettings, type TLSFlags } from '../../../src/config/tls.js';

const none: TLSFlags = { minVersion: undefined, maxVersion: undefined, cipherSuites: undefined, curves: undefined };
const settings = (flags: Partial<TLSFlags>) => tlsSettings({ ...none, ...flags });

describe('TLS', () => {
  it('is 1.2 or 1.3 unless told otherwise', () => {
    expect(settings({})).toEqual({ options: { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' }, warnings: [] });
    expect(settings({ minVersion: 'TLS13' }).options.minVersion).toBe('TLSv1.3');
  });

  it.each<[string, Partial<TLSFlags>, RegExp]>([
    ['a version below', { minVersion: 'TLS11' }, /^--tls-min-version: "TLS11".*TLS12 or TLS13/],
    ['another version above', { maxVersion: '1.3' }, /^--tls-max-version: /],
    ['versions the wrong way round', { minVersion: 'TLS13', maxVersion: 'TLS12' }, /exceeds --tls-max-version/],
    ['an unknown cipher', { cipherSuites: 'TLS_NONE' }, /^--tls-cipher-suites: "TLS_NONE" is not known/],
    ['a cipher of no such name', { cipherSuites: 'constructor' }, /"constructor" is not known/],
    ['an unknown curve', { curves: 'InvalidCurve' }, /^--tls-curve-preferences: "InvalidCurve" is not known/],
    ['ciphers that nobody serves any more', { cipherSuites: 'TLS_RSA_WITH_RC4_128_SHA' }, /serves none/],
  ])('is refused with %s', (_, flags, message) => {
    expect(() => settings(flags)).toThrow(message);
  });

  it('takes ciphers by their usual names, and those of TLS 1.3 stay', () => {
    const { options, warnings } = settings({
      cipherSuites: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
    });
    expect(options.ciphers).toBe(
      'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305',
    );
    expect(warnings).toEqual([]);
  });

  it('warns of insecure ciphers, and of ciphers that TLS 1.3 does not look at', () => {
    const cipherSuites = 'TLS_RSA_WITH_AES_128_CBC_SHA,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256';
    expect(settings({ cipherSuites }).warnings).toEqual([expect.stringContaining('TLS_RSA_WITH_AES_128_CBC_SHA')]);
    const modern = settings({ minVersion: 'TLS13', cipherSuites });
    expect(modern.options).not.toHaveProperty('ciphers');
    expect(modern.warnings).toEqual([expect.anything(), expect.stringContaining('is not looked at')]);
  });

  it('takes curves with blanks between them, and passes over those that this build does not know', () => {
    expect(settings({ curves: ' X25519 , CurveP256' }).options.ecdhCurve).toBe('X25519:P-256');
    const { options, warnings } = settings({ curves: 'X25519MLKEM768,CurveP384' });
    const known = warnings.length === 0 ? 'X25519MLKEM768:P-384' : 'P-384';
    expect(options.ecdhCurve).toBe(known);
  });
});
