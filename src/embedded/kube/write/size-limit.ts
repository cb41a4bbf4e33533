import type { KubeObject } from '../object.js';
import { StatusError } from '../wire/status-error.js';

/** Bytes that etcd takes in one request. */
const REQUEST_LIMIT = 1.5 * 2 ** 20;
/** Bytes that the API server's client of etcd sends at all. */
const MESSAGE_LIMIT = 2 * 2 ** 20;

/**
 * Refuses what etcd would not take, in its words. It counts what it stores, which for built-in kinds is a few percent less than
 * JSON: what is near the limits may be told apart otherwise than here. Throws StatusError 500.
 */
export function refuseTooLarge(object: KubeObject): void {
  const text = JSON.stringify(object);
  // A character takes three bytes at most.
  if (text.length * 3 <= REQUEST_LIMIT) return;
  const size = Buffer.byteLength(text);
  if (size <= REQUEST_LIMIT) return;
  const words =
    size <= MESSAGE_LIMIT
      ? 'etcdserver: request is too large'
      : `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${size} vs. ${MESSAGE_LIMIT})`;
  throw new StatusError(500, '', words);
}
