/** DER, as far as a certificate needs it: tag, length, value. */

function tagged(tag: number, content: Buffer): Buffer {
  const length = content.length;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content]);
}

export const sequence = (...items: Buffer[]): Buffer => tagged(0x30, Buffer.concat(items));
export const setOf = (...items: Buffer[]): Buffer => tagged(0x31, Buffer.concat(items));
export const octets = (content: Buffer): Buffer => tagged(0x04, content);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text, 'utf8'));
export const isTrue = (): Buffer => tagged(0x01, Buffer.from([0xff]));

/** `unused`: how many of the last bits are not part of it. */
export const bits = (content: Buffer, unused = 0): Buffer =>
  tagged(0x03, Buffer.concat([Buffer.from([unused]), content]));

/** A part that is told by its number; `explicit` ones hold a whole value, the others its bytes alone. */
export const explicit = (number: number, content: Buffer): Buffer => tagged(0xa0 | number, content);
export const implicit = (number: number, content: Buffer): Buffer => tagged(0x80 | number, content);

/** A number that is not negative, from its bytes. */
export function integer(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const shortest = bytes.subarray(start);
  return tagged(0x02, (shortest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), shortest]) : shortest);
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const groups = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift((rest % 128) | 0x80);
  return groups;
}

/** Whole seconds; two digits of the year before 2050, four from then on, as certificates have it. */
export function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  return Number(text.slice(0, 4)) < 2050
    ? tagged(0x17, Buffer.from(text.slice(2), 'ascii'))
    : tagged(0x18, Buffer.from(text, 'ascii'));
}
