/** Certificates for elliptic-curve keys, made without a library: Node signs and reads them, and makes none. */
import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  bits,
  explicit,
  implicit,
  integer,
  isTrue,
  objectIdentifier,
  octets,
  sequence,
  setOf,
  time,
  utf8,
} from './der.js';

export interface CertificateWish {
  readonly subject: string;
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly publicKey: KeyObject;
  /** Private key of the issuer. */
  readonly issuerKey: KeyObject;
  /** Names that a server has; for an authority none. */
  readonly dnsNames?: readonly string[];
}

const ecdsaWithSHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

/** PEM. Without `dnsNames` the certificate is that of an authority, which signs servers and no other authority. */
export function makeCertificate(wish: CertificateWish): string {
  const content = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    ecdsaWithSHA256,
    name(wish.issuer),
    sequence(time(wish.notBefore), time(wish.notAfter)),
    name(wish.subject),
    wish.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions(wish))),
  );
  const signature = sign('sha256', content, wish.issuerKey);
  const base64 = sequence(content, ecdsaWithSHA256, bits(signature)).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function name(commonName: string): Buffer {
  return sequence(setOf(sequence(objectIdentifier('2.5.4.3'), utf8(commonName))));
}

function extensions({ publicKey, issuerKey, dnsNames }: CertificateWish): Buffer[] {
  const identity = [
    extension('2.5.29.14', octets(keyIdentifier(publicKey))),
    extension('2.5.29.35', sequence(implicit(0, keyIdentifier(createPublicKey(issuerKey))))),
  ];
  // Usage is a string of bits: digitalSignature is the first, keyCertSign and cRLSign the sixth and seventh.
  if (dnsNames === undefined) {
    const constraints = sequence(isTrue(), integer(Buffer.from([0])));
    return [
      extension('2.5.29.19', constraints, true),
      extension('2.5.29.15', bits(Buffer.from([0x06]), 1), true),
      ...identity,
    ];
  }
  const names = dnsNames.map((each) => implicit(2, Buffer.from(each, 'ascii')));
  return [
    extension('2.5.29.19', sequence(), true),
    extension('2.5.29.15', bits(Buffer.from([0x80]), 7), true),
    extension('2.5.29.37', sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', sequence(...names)),
    ...identity,
  ];
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return sequence(objectIdentifier(id), ...(isCritical ? [isTrue()] : []), octets(value));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}
