import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Credentials, renewed } from '../../../src/webhooks/certificates/authority.js';
import { makeCertificate } from '../../../src/webhooks/certificates/x509.js';
import { generateKeyPairSync } from 'node:crypto';

const day = 86_400_000;
const start = Date.parse('2026-06-01T00:00:00Z');
const names = ['ironchart-webhook.metal.svc', 'ironchart-webhook.metal.svc.cluster.local'];

const authorities = ({ bundle }: Credentials) =>
  (bundle.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map((one) => new X509Certificate(one));
const serial = (text: string) => new X509Certificate(text).serialNumber;

/** What a client that trusts the bundle thinks of the server. */
function isTrusted(credentials: Credentials, now: number): boolean {
  const server = new X509Certificate(credentials.certificate);
  const isValid = (one: X509Certificate) => Date.parse(one.validFrom) <= now && now < Date.parse(one.validTo);
  const issuer = authorities(credentials).find(
    (one) => isValid(one) && server.checkIssued(one) && server.verify(one.publicKey),
  );
  return issuer !== undefined && isValid(server);
}

describe('an authority of our own', () => {
  it('makes a certificate that serves both names of the Service, and one of an authority that signs nothing but servers', () => {
    const made = renewed(undefined, names, start);
    const [authority] = authorities(made);
    const server = new X509Certificate(made.certificate);
    expect(authority!.ca).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.subjectAltName).toBe(names.map((one) => `DNS:${one}`).join(', '));
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(server.checkHost('other.metal.svc')).toBeUndefined();
    expect(isTrusted(made, start)).toBe(true);
    expect(authority!.verify(authority!.publicKey)).toBe(true);
  });

  it('leaves credentials alone while nothing is due', () => {
    const made = renewed(undefined, names, start);
    expect(renewed(made, names, start + 59 * day)).toBe(made);
  });

  it('renews the server in time, by the same authority', () => {
    const made = renewed(undefined, names, start);
    const later = renewed(made, names, start + 61 * day);
    expect(later.bundle).toBe(made.bundle);
    expect(serial(later.certificate)).not.toBe(serial(made.certificate));
    expect(isTrusted(later, start + 61 * day)).toBe(true);
  });

  it('lets a new authority be trusted before it signs, and keeps the old one as long as it is needed', () => {
    let now = start;
    let held = renewed(undefined, names, now);
    const first = serial(authorities(held)[0]!.toString());
    let sawBoth = false;
    for (let each = 0; each < 1_500; each += 1) {
      now += day;
      const next = renewed(held, names, now);
      // Whoever still trusts what was published a day ago must be able to talk to the server of today.
      expect(isTrusted({ ...next, bundle: held.bundle }, now)).toBe(true);
      expect(isTrusted(next, now)).toBe(true);
      if (authorities(next).length === 2) sawBoth = true;
      held = next;
    }
    expect(sawBoth).toBe(true);
    expect(authorities(held).map((one) => one.serialNumber)).not.toContain(first);
    expect(authorities(held).length).toBeLessThan(3);
  });

  it('begins anew with what is unreadable, does not fit together, or has run out', () => {
    const [made, other] = [renewed(undefined, names, start), renewed(undefined, names, start)];
    for (const broken of [
      { ...made, bundle: '' },
      { ...made, certificate: 'torn' },
      { ...made, key: other.key },
      { ...made, authorityKey: other.authorityKey },
      { ...made, authorityKey: 'torn' },
    ]) {
      const next = renewed(broken, names, start);
      expect(serial(next.certificate)).not.toBe(serial(made.certificate));
      expect(isTrusted(next, start)).toBe(true);
    }
    expect(isTrusted(renewed(made, names, start + 3_000 * day), start + 3_000 * day)).toBe(true);
    const foreign = { ...made, certificate: other.certificate, key: other.key };
    expect(isTrusted(renewed(foreign, names, start), start)).toBe(true);
  });

  it('makes another certificate when the Service is called otherwise', () => {
    const made = renewed(undefined, names, start);
    const moved = renewed(made, ['b.metal.svc'], start);
    expect(new X509Certificate(moved.certificate).checkHost('b.metal.svc')).toBe('b.metal.svc');
    expect(moved.bundle).toBe(made.bundle);
  });
});

describe('a certificate', () => {
  it('can outlive 2049, and hold a long name', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [from, to] = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2061-12-31T23:59:59Z')];
    const subject = 'x'.repeat(300);
    const made = makeCertificate({
      subject,
      issuer: subject,
      notBefore: from,
      notAfter: to,
      publicKey,
      issuerKey: privateKey,
    });
    const read = new X509Certificate(made);
    expect([Date.parse(read.validFrom), Date.parse(read.validTo)]).toEqual([from, to]);
    expect(read.subject).toBe(`CN=${subject}`);
    expect(read.verify(publicKey)).toBe(true);
  });
});
