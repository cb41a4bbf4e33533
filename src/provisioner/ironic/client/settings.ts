/** Credentials and certificates for Ironic, from files, always in their present version. */
import { join } from 'node:path';
import { InputError } from '../../../errors.js';
import { directoryExists, ReloadedFile, type FileVersion } from './file-watch.js';

export interface ConnectionFiles {
  /** Folder with `username` and `password`; not there: no authentication. */
  readonly authDirectory: string;
  /** "": none. A file that is not there counts as none. */
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

export interface BasicAuth {
  readonly username: string;
  readonly password: string;
}

export interface TLSMaterial {
  /** Only these authorities are trusted; undefined: those of the system. */
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** What a connection is opened with. Asked before each request, so that it is always the present version. */
export interface ConnectionMaterial {
  /** undefined: no authentication. @throws InputError */
  auth(): Promise<BasicAuth | undefined>;
  /** @throws InputError */
  tls(): Promise<TLSMaterial>;
}

export class ConnectionSettings implements ConnectionMaterial {
  readonly #username: ReloadedFile;
  readonly #password: ReloadedFile;
  readonly #tls: readonly (ReloadedFile | undefined)[];

  constructor(private readonly files: ConnectionFiles) {
    this.#username = new ReloadedFile(join(files.authDirectory, 'username'), 'HTTP Basic Auth username');
    this.#password = new ReloadedFile(join(files.authDirectory, 'password'), 'HTTP Basic Auth password');
    this.#tls = [
      ['IRONIC_CACERT_FILE', files.caFile],
      ['IRONIC_CLIENT_CERT_FILE', files.certificateFile],
      ['IRONIC_CLIENT_PRIVATE_KEY_FILE', files.keyFile],
    ].map(([setting, path]) => (path ? new ReloadedFile(path, setting!) : undefined));
  }

  /** @throws InputError when only half of it is there. */
  async auth(): Promise<BasicAuth | undefined> {
    if (!directoryExists(this.files.authDirectory, 'METAL3_AUTH_ROOT_DIR')) return undefined;
    return {
      username: content(await this.#username.read(), 'username'),
      password: content(await this.#password.read(), 'password'),
    };
  }

  /** @throws InputError when a certificate comes without its key or the other way round. */
  async tls(): Promise<TLSMaterial> {
    const [ca, certificate, key] = await Promise.all(this.#tls.map(async (file) => (await file?.read())?.text));
    if ((certificate === undefined) !== (key === undefined)) {
      throw new InputError(
        'IRONIC_CLIENT_CERT_FILE',
        'a client certificate needs its private key, and a key its certificate',
        'provide both files or neither',
        { retry: 'backoff' },
      );
    }
    return { ca, certificate, key };
  }
}

function content(file: FileVersion | undefined, what: string): string {
  const text = file?.text.trim();
  if (text) return text;
  const problem = file === undefined ? `missing HTTP Basic Auth ${what}` : `empty HTTP Basic Auth ${what}`;
  throw new InputError('METAL3_AUTH_ROOT_DIR', problem, `write the ${what} into ironic/${what} below it`, {
    retry: 'backoff',
  });
}
