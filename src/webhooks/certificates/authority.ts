/**
 * A certificate authority of one's own for one server, and when to renew what. A new authority is trusted long before it signs:
 * it joins the bundle at once, while the server keeps its certificate until that has to be renewed anyway.
 */
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { makeCertificate } from './x509.js';

/** PEM texts, as a Secret keeps them. */
export interface Credentials {
  /** The authority that signs first, then those whose certificates may still be in use. */
  readonly bundle: string;
  /** Private key of the first of the bundle. */
  readonly authorityKey: string;
  readonly certificate: string;
  readonly key: string;
}

const dayMs = 86_400_000;
const skewMs = 3_600_000;
const lifeDays = { authority: 730, server: 90 } as const;
/** Left when a new one is made. That of an authority exceeds the life of a server's, so that none outlives its issuer. */
const renewalDays = { authority: 180, server: 30 } as const;

/** The credentials to have at `now`: the same object while nothing is due. What cannot be read is made anew. */
export function renewed(current: Credentials | undefined, dnsNames: readonly string[], now: number): Credentials {
  const usable = current !== undefined && isWhole(current) ? current : undefined;
  const authority = usable === undefined ? newAuthority([], now) : renewedAuthority(usable, now);
  if (usable !== undefined && isServerGood(usable, authority.bundle, dnsNames, now)) {
    return authority.bundle === usable.bundle ? usable : { ...usable, ...authority };
  }
  return { ...authority, ...newServer(authority, dnsNames, now) };
}

type Authority = Pick<Credentials, 'bundle' | 'authorityKey'>;

function renewedAuthority({ bundle, authorityKey }: Credentials, now: number): Authority {
  const [signing, ...others] = certificatesOf(bundle);
  const trusted = others.filter((one) => remaining(one, now) > 0);
  if (signing === undefined || remaining(signing, now) <= 0) return newAuthority([], now);
  if (remaining(signing, now) < renewalDays.authority * dayMs) return newAuthority([signing, ...trusted], now);
  return { bundle: [signing, ...trusted].map(pem).join(''), authorityKey };
}

function newAuthority(former: readonly X509Certificate[], now: number): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = `ironchart webhooks ${new Date(now).toISOString().slice(0, 10)}`;
  const certificate = makeCertificate({
    ...{ subject, issuer: subject, publicKey, issuerKey: privateKey },
    ...validity(lifeDays.authority, now),
  });
  return { bundle: [certificate, ...former.map(pem)].join(''), authorityKey: exported(privateKey) };
}

function newServer(
  authority: Authority,
  dnsNames: readonly string[],
  now: number,
): Pick<Credentials, 'certificate' | 'key'> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [issuer] = certificatesOf(authority.bundle);
  const certificate = makeCertificate({
    subject: 'ironchart webhooks',
    issuer: issuer?.subject.replace(/^CN=/, '') ?? '',
    publicKey,
    issuerKey: createPrivateKey(authority.authorityKey),
    dnsNames,
    ...validity(lifeDays.server, now),
  });
  return { certificate, key: exported(privateKey) };
}

function isServerGood({ certificate }: Credentials, bundle: string, dnsNames: readonly string[], now: number): boolean {
  const server = new X509Certificate(certificate);
  const [issuer] = certificatesOf(bundle).filter((one) => server.checkIssued(one) && server.verify(one.publicKey));
  const isFresh = remaining(server, now) >= renewalDays.server * dayMs;
  return issuer !== undefined && isFresh && dnsNames.every((each) => server.checkHost(each) !== undefined);
}

/** Everything can be read, and the keys belong to their certificates. */
function isWhole({ bundle, authorityKey, certificate, key }: Credentials): boolean {
  try {
    const [signing] = certificatesOf(bundle);
    const server = new X509Certificate(certificate);
    return (
      signing?.checkPrivateKey(createPrivateKey(authorityKey)) === true && server.checkPrivateKey(createPrivateKey(key))
    );
  } catch {
    return false;
  }
}

function certificatesOf(bundle: string): X509Certificate[] {
  const texts = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return texts.map((text) => new X509Certificate(text));
}

const pem = (certificate: X509Certificate) => certificate.toString();
const exported = (key: ReturnType<typeof createPrivateKey>) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const remaining = (certificate: X509Certificate, now: number) => Date.parse(certificate.validTo) - now;

/** From a little before now, for clocks that are behind. */
function validity(days: number, now: number): { notBefore: number; notAfter: number } {
  return { notBefore: now - skewMs, notAfter: now + days * dayMs };
}
