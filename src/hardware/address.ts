/** BMC addresses: what a person writes into `spec.bmc.address`, taken apart. Rules: provisioner spec, "Address parsing". */
import { BMCAddressError } from './bmc-address-error.js';
import { isHostname } from './hostname.js';
import { isHostPort, parseURL, splitHost, URLSyntaxError, type ParsedURL } from './url.js';

export interface BMCAddress {
  /** The whole scheme, such as `redfish+http`; `ipmi` when the address has none. */
  readonly type: string;
  /** `hostname[:port]`, an IPv6 address in brackets. */
  readonly host: string;
  /** Without brackets and port. */
  readonly hostname: string;
  /** Digits, or "". */
  readonly port: string;
  /** Percent-decoded, otherwise as written. */
  readonly path: string;
  readonly query: string;
}

/** @throws BMCAddressError */
export function parseAddress(address: string): BMCAddress {
  if (address === '') throw new BMCAddressError('BMC_ADDRESS_MISSING', 'missing BMC address');
  const { scheme, host, path, query } = toURL(address);
  const { hostname, port } = splitHost(host);
  if (hostname !== '' && !isHostname(hostname)) {
    throw new BMCAddressError(
      'BMC_HOST_INVALID',
      `${prefix}: hostname ${JSON.stringify(withoutUserInfo(hostname))} is invalid`,
    );
  }
  return { type: scheme, host, hostname, port, path, query };
}

const prefix = 'failed to parse BMC address information';

function toURL(address: string): ParsedURL {
  let url: ParsedURL;
  try {
    url = parseURL(address);
  } catch (error) {
    // `1.2.3.4:623` and `[fe80::1]:623` are no URLs, yet good addresses.
    if (address.includes(':') && !isHostPort(address)) throw unparsable(address, error);
    return { scheme: 'ipmi', host: address, path: '', query: '', opaque: '' };
  }
  if (url.opaque !== '') return parseAgain(address, address.replace(':', '://'));
  if (url.scheme === '' && url.host === '') {
    if (/^[^/]+\/\//.test(address)) throw unparsable(address, new URLSyntaxError("missing ':' before '//'"));
    return parseAgain(address, `ipmi://${address}`);
  }
  return url;
}

function parseAgain(address: string, url: string): ParsedURL {
  try {
    return parseURL(url);
  } catch (error) {
    throw unparsable(address, error);
  }
}

function unparsable(address: string, error: unknown): BMCAddressError {
  const reason = error instanceof URLSyntaxError ? error.message : String(error);
  return new BMCAddressError(
    'BMC_ADDRESS_UNPARSABLE',
    `${prefix}: ${JSON.stringify(withoutUserInfo(address))}: ${reason}`,
  );
}

/** User information is ignored, and may hold a password. */
function withoutUserInfo(address: string): string {
  return address.replace(/(^|\/\/)[^/?#]*@/, '$1');
}
