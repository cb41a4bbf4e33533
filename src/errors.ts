/**
 * Every error that Ironchart itself raises: a stable code for people and programs, and a retry class that decides what the
 * queue does next. Nobody above the edge that raised it looks at a status number or at a text.
 */

/** `never`: only an edit helps. `after`: once, after `retryAfterMs`. `backoff`: again and again, with growing gaps. */
export type Retry = 'never' | 'after' | 'backoff';

export interface ErrorOptions {
  cause?: unknown;
  retry?: Retry;
  /** Milliseconds; meaningful with retry class `after`. */
  retryAfterMs?: number;
}

export class IronchartError extends Error {
  override readonly name: string = 'IronchartError';
  readonly retry: Retry;
  readonly retryAfterMs: number | undefined;

  constructor(
    /** Stable, upper snake case, never reused for another meaning. */
    readonly code: string,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retry = options.retry ?? 'backoff';
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Bad input of a person: names the field, what is wrong with its value, and the remedy. Exit code 2 on the command line. */
export class InputError extends IronchartError {
  override readonly name = 'InputError';

  constructor(field: string, problem: string, remedy: string, options: ErrorOptions = {}) {
    super('INVALID_INPUT', `${field}: ${problem}; ${remedy}`, { retry: 'never', ...options });
  }
}

/** For an address or a port that cannot be had. */
export function cannotListen(field: string, place: string | number, error: unknown, remedy: string): InputError {
  return new InputError(field, `${place} cannot be listened on: ${messageOf(error)}`, remedy);
}

/** The text of anything thrown, without its stack and without a cause that may hold a request. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
