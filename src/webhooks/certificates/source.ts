/** Where the certificate of a server comes from. */

/** PEM texts. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateSource {
  /** How often it is worth looking. */
  readonly pollMs: number;
  /** undefined: there is none yet. @throws Error that says why it cannot be had. */
  read(): Promise<KeyPair | undefined>;
}
