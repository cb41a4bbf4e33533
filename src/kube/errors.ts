/** Answers of the API server that are no success, classed once at this edge. */
import { IronchartError, type ErrorOptions } from '../errors.js';

export type KubeErrorCode =
  | 'KUBE_NOT_FOUND'
  | 'KUBE_CONFLICT'
  | 'KUBE_ALREADY_EXISTS'
  | 'KUBE_INVALID'
  | 'KUBE_FORBIDDEN'
  | 'KUBE_GONE'
  | 'KUBE_BUSY'
  | 'KUBE_UNAVAILABLE'
  | 'KUBE_NOT_LEADER';

export class KubeError extends IronchartError {
  override readonly name = 'KubeError';

  constructor(
    override readonly code: KubeErrorCode,
    message: string,
    options: ErrorOptions = {},
    /** It was to be made in a namespace that is going away, and goes with all that it holds. */
    readonly isNamespaceEnding = false,
  ) {
    super(code, message, options);
  }
}

export function isKubeError(error: unknown, code: KubeErrorCode): boolean {
  return error instanceof KubeError && error.code === code;
}

interface StatusBody {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string }[];
  };
}

const codes: Readonly<Record<number, KubeErrorCode>> = {
  400: 'KUBE_INVALID',
  401: 'KUBE_FORBIDDEN',
  403: 'KUBE_FORBIDDEN',
  404: 'KUBE_NOT_FOUND',
  409: 'KUBE_CONFLICT',
  410: 'KUBE_GONE',
  422: 'KUBE_INVALID',
  429: 'KUBE_BUSY',
};

/**
 * Turns an answer into an error; `body` is a Kubernetes `Status` where the server kept to its own form. Its overload
 * protection does not: that says in the header `Retry-After` alone when to come again.
 */
export function errorFromAnswer(request: string, status: number, body: unknown, retryAfter?: string): KubeError {
  const { message, reason, details } = (typeof body === 'object' && body !== null ? body : {}) as StatusBody;
  const code = reason === 'AlreadyExists' ? 'KUBE_ALREADY_EXISTS' : (codes[status] ?? 'KUBE_UNAVAILABLE');
  const retry = retryOf(details?.retryAfterSeconds ?? retryAfter);
  const isNamespaceEnding = hasCause(details?.causes, 'NamespaceTerminating');
  return new KubeError(
    code,
    `${request}: ${status} ${message ?? reason ?? 'no reason given'}`,
    retry,
    isNamespaceEnding,
  );
}

function hasCause(causes: unknown, reason: string): boolean {
  return Array.isArray(causes) && causes.some((cause: { reason?: string } | null) => cause?.reason === reason);
}

/** Whole seconds, as a body or a header says them; any other text counts for nothing. */
function retryOf(seconds: string | number | undefined): ErrorOptions {
  if (!/^\d{1,4}$/.test(String(seconds))) return { retry: 'backoff' };
  return { retry: 'after', retryAfterMs: Number(seconds) * 1000 };
}
