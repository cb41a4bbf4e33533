/** How a host and its node find each other. */
import { createHash } from 'node:crypto';

/** The namespace that node UUIDs are derived in. Changing it would orphan the nodes of hosts whose status was lost. */
const nodeNamespace = '5d0f6c1e-3b0a-4c5e-9b1f-8f6d2a7e4c31';

/** The node name `namespace~name`. */
export function nodeName(host: { namespace: string; name: string }): string {
  return `${host.namespace}~${host.name}`;
}

/** Names to look a host up by: the present form, then the one of old. */
export function lookupNames(host: { namespace: string; name: string }): string[] {
  return host.name.includes('~') ? [nodeName(host)] : [nodeName(host), host.name];
}

/** `namespace/name` of the host that a node belongs to by its name; undefined: not one of ours. */
export function hostKeyOf(name: string): string | undefined {
  const [namespace, host, ...rest] = name.split('~');
  return namespace && host && rest.length === 0 ? `${namespace}/${host}` : undefined;
}

/**
 * The UUID that a host's node gets when it is created: a UUIDv5 of the host's own uid. After a crash between the request
 * and the note of its outcome, the node is found again. undefined for a host without a uid.
 */
export function derivedUUID(uid: string): string | undefined {
  if (uid === '') return undefined;
  const bytes = createHash('sha1')
    .update(Buffer.from(nodeNamespace.replaceAll('-', ''), 'hex'))
    .update(uid)
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
