import type { Random } from '../../../clock.js';

/** No vowels and nothing that looks like another, so that no word comes out. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const MAX_PREFIX = 58;

/** Makes uids (UUIDs of version 4) and the ends of generated names. */
export class Identifiers {
  constructor(private readonly random: Random) {}

  uid(): string {
    const bytes = Buffer.alloc(16);
    for (let i = 0; i < 16; i += 2) bytes.writeUInt16BE(Math.floor(this.random.next() * 65_536), i);
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  name(prefix: string): string {
    let end = '';
    for (let i = 0; i < 5; i += 1) end += LETTERS[Math.floor(this.random.next() * LETTERS.length)];
    return prefix.slice(0, MAX_PREFIX) + end;
  }
}
