/** Where a BMC fetches images from, when that depends on its IP version. */
import { lookup } from 'node:dns/promises';
import { isIPv4, isIPv6 } from '../../hardware/index.js';
import type { HostSession, Resolver } from './host-session.js';

export const systemResolver: Resolver = async (hostname) => {
  try {
    return (await lookup(hostname)).address;
  } catch {
    return undefined;
  }
};

/** A BMC with an IPv6 address gets the configured URL; a name that does not resolve changes nothing. */
export async function externalURL(session: HostSession): Promise<{ external_http_url?: string }> {
  const url = session.config.externalURLv6;
  if (url === '') return {};
  const { hostname } = session.access();
  const address = isIPv4(hostname) || isIPv6(hostname) ? hostname : await session.resolve(hostname);
  return address !== undefined && isIPv6(address) ? { external_http_url: url } : {};
}
