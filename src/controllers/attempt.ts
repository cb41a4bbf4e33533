/** How a pass that broke off is taken up again: soon, as it is nobody's fault, and not at all once the operator ends. */
import { IronchartError, messageOf } from '../errors.js';
import { type Decision, isKubeError, KubeError } from '../kube/index.js';
import { ProvisionerNotReady } from '../provisioner/index.js';

/** Milliseconds until a back end that is away is asked again, and the longest gap between tries at what is nobody's fault. */
export const transientMs = 30_000;

export interface AttemptLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export const done: Decision = { kind: 'done' };

export function after(ms: number): Decision {
  return { kind: 'after', ms };
}

export interface Attempt {
  readonly controller: string;
  readonly key: string;
  readonly log: AttemptLog;
  readonly signal: AbortSignal;
}

export async function attempt(
  { controller, key, log, signal }: Attempt,
  work: () => Promise<Decision>,
): Promise<Decision> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || isKubeError(error, 'KUBE_NOT_LEADER')) return done;
    const code = error instanceof IronchartError ? error.code : 'INTERNAL';
    const fields = { controller, object: key, code, error: messageOf(error) };
    logFailure(log, fields, error);
    return decisionFor(error);
  }
}

/** Somebody else was sooner, or there is much to do: what ends by itself, and is no trouble to tell of. */
const news: ReadonlySet<string> = new Set(['KUBE_CONFLICT', 'KUBE_ALREADY_EXISTS', 'KUBE_NOT_FOUND', 'KUBE_BUSY']);

/** Told where a person sees it, unless it is mere news: what the API server refuses cannot be told on the object itself. */
export function logFailure(log: AttemptLog, fields: object, error: unknown): void {
  if (!(error instanceof KubeError)) log.warn(fields, 'the pass did not get through; trying again');
  else log[news.has(error.code) ? 'debug' : 'warn'](fields, 'the API server did not take it; trying again');
}

function decisionFor(error: unknown): Decision {
  if (error instanceof ProvisionerNotReady) return after(transientMs);
  if (error instanceof IronchartError && error.retry === 'after') return after(error.retryAfterMs ?? transientMs);
  return { kind: 'backoff', maxMs: transientMs };
}
