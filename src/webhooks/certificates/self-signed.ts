/** A certificate for a server whose clients check nothing of it, or for one that has none in files: made at the start, and renewed. */
import type { Clock } from '../../clock.js';
import { type Credentials, renewed } from './authority.js';
import type { CertificateSource, KeyPair } from './source.js';

export class SelfSigned implements CertificateSource {
  readonly pollMs = 3_600_000;
  #current: Credentials | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly dnsNames: readonly string[],
  ) {}

  read(): Promise<KeyPair> {
    this.#current = renewed(this.#current, this.dnsNames, this.clock.now());
    return Promise.resolve(this.#current);
  }
}

/** The first that has one. */
export class FirstOf implements CertificateSource {
  readonly pollMs: number;

  constructor(private readonly sources: readonly CertificateSource[]) {
    this.pollMs = Math.min(...sources.map(({ pollMs }) => pollMs));
  }

  async read(): Promise<KeyPair | undefined> {
    for (const source of this.sources) {
      const pair = await source.read();
      if (pair !== undefined) return pair;
    }
    return undefined;
  }
}
