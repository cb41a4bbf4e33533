/**
 * Errors that are nobody's fault, or not the host's: tried again soon, with growing gaps, and said so on the object itself,
 * once for each reason. `errorType` and `errorCount` stay as they are: those are for what the host itself got wrong.
 */
import { detachRequest, shortened, UnknownHostState } from '../../../machines/index.js';
import { timestamp } from '../../clock.js';
import { IronchartError, messageOf } from '../../errors.js';
import { isKubeError, KubeError, type Decision } from '../../kube/index.js';
import { ProvisionerNotReady } from '../../provisioner/index.js';
import {
  annotations,
  type BareMetalHost,
  bareMetalHostStatusSchema,
  type BareMetalHostStatus,
  type Condition,
} from '../../apis/index.js';
import { logFailure } from '../attempt.js';
import { computeConditions } from './conditions.js';
import { transientMaxMs } from './decision.js';
import type { HostDependencies } from './dependencies.js';
import { mergeDiff } from './merge-diff.js';
import type { PassScope } from './scope.js';

const maxMessage = 500;

export class TroubleReporter {
  constructor(private readonly deps: HostDependencies) {}

  async report(scope: PassScope, error: unknown): Promise<Decision> {
    const { key, signal } = scope;
    if (signal.aborted || isKubeError(error, 'KUBE_NOT_LEADER')) return { kind: 'done' };
    const message = troubleOf(scope.host, error);
    const code = error instanceof IronchartError ? error.code : 'INTERNAL';
    logFailure(this.deps.log, { host: key, code, error: message }, error);
    if (isShown(error)) await this.#show(scope, message, error);
    return decisionFor(error);
  }

  async #show({ key, host, writer, telling }: PassScope, message: string, error: unknown): Promise<void> {
    const status = bareMetalHostStatusSchema.parse(writer.object.status ?? {}) as BareMetalHostStatus;
    const now = timestamp(this.deps.clock.now());
    const patch = troublePatch(status, message, now, host.metadata.generation ?? 0);
    if (patch === undefined) return;
    try {
      await writer.patchStatus(patch);
      telling.now(reasonOf(error), message);
    } catch (failure) {
      this.deps.log.debug({ host: key, error: messageOf(failure) }, 'the reason could not be shown on the host');
    }
  }
}

/** The API server's own trouble cannot be written to it; what it does not let the operator do can. */
function isShown(error: unknown): boolean {
  return !(error instanceof KubeError) || isKubeError(error, 'KUBE_FORBIDDEN');
}

/** Of the event. */
const reasons: Readonly<Record<string, string>> = {
  PROVISIONER_NOT_READY: 'ProvisionerNotReady',
  INVALID_STATUS_ANNOTATION: 'InvalidAnnotationValue',
};

function reasonOf(error: unknown): string {
  return (error instanceof IronchartError ? reasons[error.code] : undefined) ?? 'Waiting';
}

/**
 * What is said of an error, to a person who looks at the host. A deletion that cannot go on for want of a back end would
 * otherwise look as if nothing happened at all, and how to end it without one is not easy to find.
 */
function troubleOf(host: BareMetalHost, error: unknown): string {
  const message = shortened(messageOf(error), maxMessage);
  if (host.metadata.deletionTimestamp === undefined || !(error instanceof ProvisionerNotReady)) return message;
  // One that is there already, and that has not let the host go, delays the deletion.
  const wayOut = detachRequest(host, false).present
    ? `once the annotation ${annotations.detached} has no deleteAction "delay" any more,`
    : `with the annotation ${annotations.detached}`;
  return (
    `the deletion waits: ${message}. It goes on when that is over; ${wayOut} ` +
    'the host is let go without it, and its machine stays as it is'
  );
}

function decisionFor(error: unknown): Decision {
  if (error instanceof UnknownHostState) return { kind: 'backoff' };
  if (error instanceof IronchartError && error.retry === 'after') {
    return { kind: 'after', ms: error.retryAfterMs ?? transientMaxMs };
  }
  return { kind: 'backoff', maxMs: transientMaxMs };
}

/** The message of Progressing, and `lifecycle.waitsFor`; undefined when they say so already. Pure. */
export function troublePatch(
  status: BareMetalHostStatus,
  message: string,
  now: string,
  generation: number,
): object | undefined {
  const facts = { status, generation, now, powerFailure: false, health: '', trouble: message };
  const known: Condition[] | undefined = status.conditions;
  const conditions =
    known === undefined || known.length === 0
      ? computeConditions(facts)
      : known.map((condition) => (condition.type === 'Progressing' ? { ...condition, message } : condition));
  const patch = mergeDiff(status, {
    ...status,
    conditions,
    // The next try is soon, whatever was to be waited for before.
    lifecycle: { ...status.lifecycle, state: status.provisioning.state, waitsFor: message, nextRetryAt: undefined },
  });
  if (patch === undefined) return undefined;
  // A status that was never saved stays one: the annotation that restores it is only taken then.
  return status.lastUpdated === undefined ? patch : { ...patch, lastUpdated: now };
}
