/** HTTP headers that a BMC sends with its events: read from a Secret when they are needed, kept nowhere, told to nobody. */
import type { SecretReference } from '../../apis/index.js';
import { IronchartError } from '../../errors.js';
import { type SecretObject, type SecretStore, secretValue } from '../../kube/index.js';
import { type Mask, maskOf } from '../host/discretion.js';

export type Headers = readonly Readonly<Record<string, string>>[];

/** One map for each key of the Secret. @throws IronchartError where it is not there, or not in this namespace */
export async function readHeaders(
  secrets: Pick<SecretStore, 'read'>,
  namespace: string,
  reference: SecretReference | undefined,
  signal?: AbortSignal,
): Promise<Headers> {
  if (reference === undefined) return [];
  const { name = '', namespace: asked = '' } = reference;
  if (asked !== '' && asked !== namespace) {
    throw new IronchartError(
      'FOREIGN_NAMESPACE',
      `spec.httpHeadersRef refers to namespace ${asked}: only Secrets of its own namespace, ${namespace}, are read`,
    );
  }
  const secret = await secrets.read({ namespace, name }, signal);
  if (secret === undefined) {
    throw new IronchartError('HEADERS_MISSING', `the Secret ${name} of spec.httpHeadersRef does not exist: create it`);
  }
  return headersOf(secret);
}

function headersOf(secret: SecretObject): Headers {
  const names = Object.keys(secret.data ?? {}).sort();
  return names.map((name) => ({ [name]: secretValue(secret, name) ?? '' }));
}

/** Takes the values out of what others say, also where they say only the word after `Bearer`. */
export function maskOfHeaders(headers: Headers): Mask {
  const values = headers.flatMap((header) => Object.values(header));
  const words = values.flatMap((value) => [value, ...value.split(/\s+/).filter((word) => word.length > 7)]);
  const masks = words.map((password) => maskOf({ username: '', password }));
  return (text) => masks.reduce((masked, mask) => mask(masked), text);
}
