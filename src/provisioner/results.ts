/**
 * What an operation on a host may answer, and the few errors that the controllers tell apart.
 *
 * Three answers exist. `complete`: nothing is left to do. `inProgress`: the work goes on in the back end, call the same
 * operation again after `requeueAfterMs` (0: at once). `failed`: the host itself is at fault and a person must see why; it
 * lands in the host's status. Everything else (the back end is away, locked, or answers nonsense) is thrown, is transient,
 * and never counts against the host.
 */
import { IronchartError, type ErrorOptions } from '../errors.js';

export type OperationResult =
  | { readonly kind: 'complete' }
  | {
      readonly kind: 'inProgress';
      readonly requeueAfterMs: number;
      /** Nothing was asked of the machine yet, since something is in the way: the work begins with a later call. */
      readonly isDeferred?: boolean;
      /** What has to happen first, in words, where that is not the work itself; must not change with every look. */
      readonly waitsFor?: string;
    }
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** Nothing was refused: the machine's controller gave no answer, and may give one soon. */
      readonly isSilent?: boolean;
    };

export const complete: OperationResult = Object.freeze({ kind: 'complete' });

export function inProgress(requeueAfterMs: number): OperationResult {
  return { kind: 'inProgress', requeueAfterMs };
}

/** The same answer, where it came without a command to the machine. */
export function deferred(result: OperationResult): OperationResult {
  return result.kind === 'inProgress' ? { ...result, isDeferred: true } : result;
}

/** The same answer, which comes once something else has happened. */
export function awaiting(result: OperationResult, waitsFor: string): OperationResult {
  return result.kind === 'inProgress' ? { ...result, waitsFor } : result;
}

export function failed(message: string): OperationResult {
  return { kind: 'failed', message };
}

/** Failed, for want of any answer of the machine's controller. */
export function silent(message: string): OperationResult {
  return { kind: 'failed', message, isSilent: true };
}

/** The factory cannot reach a working back end: nothing was tried, nothing is wrong with the host. */
export class ProvisionerNotReady extends IronchartError {
  override readonly name = 'ProvisionerNotReady';

  constructor(message: string, options: ErrorOptions = {}) {
    super('PROVISIONER_NOT_READY', message, { retry: 'backoff', ...options });
  }
}

/** The back end has no node for this host (it never had, or has lost it): register again before anything else. */
export class NeedsRegistration extends IronchartError {
  override readonly name = 'NeedsRegistration';

  constructor(message = 'host not registered', options: ErrorOptions = {}) {
    super('NEEDS_REGISTRATION', message, { retry: 'backoff', ...options });
  }
}

/** Register cannot go on without an image from the preprovisioning image builder. */
export class NeedsPreprovisioningImage extends IronchartError {
  override readonly name = 'NeedsPreprovisioningImage';

  constructor(message = 'a preprovisioning image is required', options: ErrorOptions = {}) {
    super('NEEDS_PREPROVISIONING_IMAGE', message, { retry: 'backoff', ...options });
  }
}

/** The back end works on the host just now, so that a question cannot be answered. */
export class NodeIsBusy extends IronchartError {
  override readonly name = 'NodeIsBusy';

  constructor(message = 'node is busy', options: ErrorOptions = {}) {
    super('NODE_IS_BUSY', message, { retry: 'backoff', ...options });
  }
}
