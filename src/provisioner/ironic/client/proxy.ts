/** Which proxy a request goes through, by the variables that every program knows. Pure. */
import { BlockList, isIP } from 'node:net';

export interface ProxySettings {
  /** For http; "": none. May hold credentials. */
  readonly httpProxy: string;
  /** For https. */
  readonly httpsProxy: string;
  /** What is reached without a proxy: names (with all below them), `.suffix`, addresses, networks, `host:port`, or `*`. */
  readonly noProxy: string;
}

/** undefined: none. The computer itself is never asked for through a proxy. */
export function proxyFor(target: URL, settings: ProxySettings | undefined): URL | undefined {
  if (settings === undefined || isReachedDirectly(target, settings.noProxy)) return undefined;
  const proxy = target.protocol === 'https:' ? settings.httpsProxy : settings.httpProxy;
  if (proxy === '') return undefined;
  return new URL(proxy.includes('://') ? proxy : `http://${proxy}`);
}

function isReachedDirectly(target: URL, noProxy: string): boolean {
  const host = hostOf(target);
  if (host === 'localhost' || isLoopback(host)) return true;
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  const entries = noProxy.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => entry !== '' && exempts(entry, host, port));
}

const hostOf = ({ hostname }: URL) => hostname.toLowerCase().replace(/^\[|\]$/g, '');

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function exempts(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(host, entry);
  const { name, only } = split(entry);
  if (only !== undefined && only !== port) return false;
  if (isIP(name) !== 0) return name === host;
  if (/^\*?\./.test(name)) return host.endsWith(name.replace('*', ''));
  return host === name || host.endsWith(`.${name}`);
}

/** `host:port`, `[v6]:port`, or a host alone. */
function split(entry: string): { name: string; only: string | undefined } {
  if (isIP(entry) !== 0) return { name: entry, only: undefined };
  const [, bracketed, plain, only] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain ?? entry, only };
}

function isInNetwork(host: string, network: string): boolean {
  const [address = '', length = ''] = network.split('/');
  const family = isIP(address);
  if (family === 0 || family !== isIP(host) || !/^\d{1,3}$/.test(length)) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  if (Number(length) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(length), kind);
  return list.check(host, kind);
}
