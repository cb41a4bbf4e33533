/** What can go wrong with a call to Ironic, classed once: nobody above looks at a status number. */
import { IronchartError, type Retry } from '../../../errors.js';

export type IronicErrorCode =
  | 'IRONIC_BAD_REQUEST'
  | 'IRONIC_UNAUTHORIZED'
  | 'IRONIC_FORBIDDEN'
  | 'IRONIC_NOT_FOUND'
  /** 406: the API is too old for what was asked. */
  | 'IRONIC_NOT_ACCEPTABLE'
  /** Locked now, not allowed in this state, or exists already: read again to tell. */
  | 'IRONIC_CONFLICT'
  /** 429, 502, 503, 504: busy or starting. */
  | 'IRONIC_UNAVAILABLE'
  | 'IRONIC_SERVER_ERROR'
  | 'IRONIC_UNEXPECTED_STATUS'
  /** For a command this means unknown, not failed. */
  | 'IRONIC_TIMEOUT'
  | 'IRONIC_UNREACHABLE'
  | 'IRONIC_BAD_ANSWER'
  | 'IRONIC_ABORTED';

export interface IronicErrorDetails {
  status?: number;
  cause?: unknown;
  words?: string;
}

export class IronicError extends IronchartError {
  override readonly name = 'IronicError';
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** Ironic's own words, "" when it said none. */
  readonly words: string;

  constructor(
    override readonly code: IronicErrorCode,
    message: string,
    details: IronicErrorDetails = {},
  ) {
    super(code, message, { cause: details.cause, ...retryOf(code) });
    this.status = details.status;
    this.words = details.words ?? '';
  }

  /** The conductor that holds the lock of the node, where that is what Ironic answers; undefined: it does not say so. */
  get lockedBy(): string | undefined {
    return /locked by host ([^\s,;]+)/i.exec(this.words)?.[1];
  }

  /** The same error, told as part of what was being done. */
  during(doing: string): IronicError {
    return new IronicError(this.code, `${doing}: ${this.message}`, { status: this.status, words: this.words });
  }
}

function retryOf(code: IronicErrorCode): { retry: Retry; retryAfterMs?: number } {
  if (code === 'IRONIC_CONFLICT') return { retry: 'after', retryAfterMs: 3000 };
  return { retry: 'backoff' };
}

const codes: Readonly<Record<number, IronicErrorCode>> = {
  400: 'IRONIC_BAD_REQUEST',
  401: 'IRONIC_UNAUTHORIZED',
  403: 'IRONIC_FORBIDDEN',
  404: 'IRONIC_NOT_FOUND',
  406: 'IRONIC_NOT_ACCEPTABLE',
  409: 'IRONIC_CONFLICT',
  429: 'IRONIC_UNAVAILABLE',
  502: 'IRONIC_UNAVAILABLE',
  503: 'IRONIC_UNAVAILABLE',
  504: 'IRONIC_UNAVAILABLE',
};

export function codeOfStatus(status: number): IronicErrorCode {
  return codes[status] ?? (status >= 500 ? 'IRONIC_SERVER_ERROR' : 'IRONIC_UNEXPECTED_STATUS');
}

export function isIronicError(error: unknown, ...expected: IronicErrorCode[]): error is IronicError {
  return error instanceof IronicError && (expected.length === 0 || expected.includes(error.code));
}
