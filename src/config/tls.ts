/** TLS of the servers, by the names that manifests for this kind of operator use, in the words of Node. */
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { InputError } from '../errors.js';

export interface TLSFlags {
  readonly minVersion: string | undefined;
  readonly maxVersion: string | undefined;
  readonly cipherSuites: string | undefined;
  readonly curves: string | undefined;
}

export interface TLSSettings {
  readonly options: Pick<SecureContextOptions, 'minVersion' | 'maxVersion' | 'ciphers' | 'ecdhCurve'>;
  /** What was passed over, or is not wise. */
  readonly warnings: readonly string[];
}

const versions = { TLS12: 'TLSv1.2', TLS13: 'TLSv1.3' } as const;

/** Of TLS 1.3; always offered where that is. */
const modern = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

const good: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
};

const insecure: Readonly<Record<string, string>> = {
  TLS_RSA_WITH_RC4_128_SHA: 'RC4-SHA',
  TLS_RSA_WITH_3DES_EDE_CBC_SHA: 'DES-CBC3-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA256: 'AES128-SHA256',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_RC4_128_SHA: 'ECDHE-ECDSA-RC4-SHA',
  TLS_ECDHE_RSA_WITH_RC4_128_SHA: 'ECDHE-RSA-RC4-SHA',
  TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA: 'ECDHE-RSA-DES-CBC3-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
};

const curves: Readonly<Record<string, string>> = {
  X25519: 'X25519',
  CurveP256: 'P-256',
  CurveP384: 'P-384',
  CurveP521: 'P-521',
  X25519MLKEM768: 'X25519MLKEM768',
  SecP256r1MLKEM768: 'SecP256r1MLKEM768',
  SecP384r1MLKEM1024: 'SecP384r1MLKEM1024',
};

/** @throws InputError for a name that is not known, and for a combination that could serve nobody. */
export function tlsSettings(flags: TLSFlags): TLSSettings {
  const minVersion = version('--tls-min-version', flags.minVersion ?? 'TLS12');
  const maxVersion = version('--tls-max-version', flags.maxVersion ?? 'TLS13');
  if (minVersion > maxVersion) {
    throw new InputError('--tls-min-version', 'exceeds --tls-max-version', 'let both agree');
  }
  const warnings: string[] = [];
  const ciphers = cipherList(flags.cipherSuites ?? '', minVersion === versions.TLS13, warnings);
  const ecdhCurve = curveList(flags.curves ?? '', warnings);
  const options = { minVersion, maxVersion, ...(ciphers && { ciphers }), ...(ecdhCurve && { ecdhCurve }) };
  return { options, warnings };
}

function version(flag: string, text: string): 'TLSv1.2' | 'TLSv1.3' {
  if (text === 'TLS12' || text === 'TLS13') return versions[text];
  throw new InputError(flag, `"${text}" is no version that is served`, 'give TLS12 or TLS13');
}

function names(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function cipherList(text: string, isModernOnly: boolean, warnings: string[]): string | undefined {
  const flag = '--tls-cipher-suites';
  const given = names(text);
  for (const name of given) {
    if (Object.hasOwn(insecure, name)) warnings.push(`${flag}: ${name} is insecure`);
    else if (!Object.hasOwn(good, name) && !modern.includes(name)) throw unknown(flag, name, Object.keys(good));
  }
  if (given.length === 0) return undefined;
  if (isModernOnly) {
    warnings.push(`${flag}: is not looked at, since TLS 1.3 has suites of its own`);
    return undefined;
  }
  const chosen = given.map((name) => good[name] ?? insecure[name] ?? '').filter((name) => name !== '');
  const ciphers = [...modern, ...chosen].join(':');
  if (!isServed({ ciphers: chosen.join(':') || ciphers })) {
    throw new InputError(flag, 'this build serves none of them', 'add another');
  }
  return ciphers;
}

function curveList(text: string, warnings: string[]): string | undefined {
  const flag = '--tls-curve-preferences';
  const given = names(text);
  const served = given.filter((name) => {
    if (!Object.hasOwn(curves, name)) throw unknown(flag, name, Object.keys(curves));
    const isKnown = isServed({ ecdhCurve: curves[name] });
    if (!isKnown) warnings.push(`${flag}: ${name} is passed over, since this build does not know it`);
    return isKnown;
  });
  if (given.length > 0 && served.length === 0) {
    throw new InputError(flag, 'this build serves none of them', 'add another');
  }
  return served.length === 0 ? undefined : served.map((name) => curves[name]).join(':');
}

function isServed(options: SecureContextOptions): boolean {
  try {
    createSecureContext(options);
    return true;
  } catch {
    return false;
  }
}

function unknown(flag: string, name: string, known: readonly string[]): InputError {
  return new InputError(flag, `"${name}" is not known`, `use any of ${known.join(', ')}`);
}
