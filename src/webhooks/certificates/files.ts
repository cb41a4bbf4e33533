/** A certificate that others put into files, and replace there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificateSource, KeyPair } from './source.js';

export class CertificateFiles implements CertificateSource {
  readonly pollMs = 10_000;

  /** @param folder holds `tls.crt` and `tls.key`, as a mounted Secret does. */
  constructor(readonly folder: string) {}

  async read(): Promise<KeyPair | undefined> {
    try {
      const read = (name: string) => readFile(join(this.folder, name), 'utf8');
      return { certificate: await read('tls.crt'), key: await read('tls.key') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
