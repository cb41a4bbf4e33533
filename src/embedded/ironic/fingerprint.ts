import { createHash } from 'node:crypto';

/** A stream of choices that depends on a text alone: the same host always gets the same hardware. */
export class Fingerprint {
  constructor(private readonly seed: string) {}

  private bytes(purpose: string): Buffer {
    return createHash('sha256').update(`${this.seed}/${purpose}`).digest();
  }

  number(purpose: string, below: number): number {
    return this.bytes(purpose).readUInt32BE(0) % below;
  }

  pick<T>(purpose: string, choices: readonly [T, ...T[]]): T {
    return choices[this.number(purpose, choices.length)] ?? choices[0];
  }

  hex(purpose: string, digits: number): string {
    return this.bytes(purpose).toString('hex').slice(0, digits);
  }

  /** A locally administered address, so that it meets no real card. */
  mac(purpose: string): string {
    const pairs = this.hex(purpose, 10).match(/../g) ?? [];
    return ['b2', ...pairs].join(':');
  }
}
