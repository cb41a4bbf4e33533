import { isIP } from 'node:net';

const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const HOST_NAME =
  /^(?=.{1,253}$)[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const MAC = /^([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DURATION = /^[+-]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h|d|w)\s*)+$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

function isCidr(text: string): boolean {
  const [address, bits, more] = text.split('/');
  if (address === undefined || bits === undefined || more !== undefined || !/^\d{1,3}$/.test(bits)) return false;
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Formats of strings that the API server checks; any other format is a remark and always holds. */
const CHECKS: Record<string, (text: string) => boolean> = {
  'date-time': (text) => DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)),
  date: isDate,
  hostname: (text) => HOST_NAME.test(text),
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6,
  cidr: isCidr,
  mac: (text) => MAC.test(text),
  uri: (text) => URL.canParse(text),
  uuid: (text) => UUID.test(text),
  byte: (text) => BASE64.test(text),
  duration: (text) => DURATION.test(text),
  email: (text) => EMAIL.test(text),
};

export function holdsFormat(text: string, format: string): boolean {
  return CHECKS[format]?.(text) ?? true;
}

export function isBase64(text: string): boolean {
  return BASE64.test(text);
}

/** The range of an integer format; JSON numbers beyond 2^53 are not told apart, as in any JavaScript program. */
export function inIntegerRange(value: number, format: string | undefined): boolean {
  return format !== 'int32' || (value >= -(2 ** 31) && value <= 2 ** 31 - 1);
}
