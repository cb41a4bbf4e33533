/**
 * Small pure changes of a draft, named as the spec names them (host-lifecycle spec §3, head): they are what the chart's
 * actions are made of.
 */
import type { BareMetalHostStatus, LifecycleStatus } from '../src/apis/index.js';
import { isSame } from './equality.js';
import type { Draft, Measurement, Outcome, PassResult } from './host.context.js';

export type ErrorType = NonNullable<BareMetalHostStatus['errorType']>;
type OperationalStatus = BareMetalHostStatus['operationalStatus'];

/** The events' reasons are also the values of the metric label `error_type`. */
const reasons: Readonly<Record<string, string>> = {
  'registration error': 'RegistrationError',
  'provisioned registration error': 'ProvisionedRegistrationError',
  'inspection error': 'InspectionError',
  'preparation error': 'PreparationError',
  'provisioning error': 'ProvisioningError',
  'power management error': 'PowerManagementError',
  'servicing error': 'ServicingError',
};

export function newDraft(status: BareMetalHostStatus): Draft {
  return { status, result: undefined, events: [], measurements: [] };
}

export function withStatus(draft: Draft, change: Partial<BareMetalHostStatus>): Draft {
  return { ...draft, status: { ...draft.status, ...change } };
}

export function withProvisioning(draft: Draft, change: Partial<BareMetalHostStatus['provisioning']>): Draft {
  return withStatus(draft, { provisioning: { ...draft.status.provisioning, ...change } });
}

/** What passes leave for later ones, whatever the chart rests in. */
export const markNames = ['begunDeploy', 'begunSettings', 'begunUpdates', 'nodeCreatedAt'] as const;
type Marks = Pick<LifecycleStatus, (typeof markNames)[number]>;

/** The same draft if nothing is different. */
export function withMarks(draft: Draft, marks: Partial<Marks>): Draft {
  const { lifecycle } = draft.status;
  const next = { ...lifecycle, ...marks };
  return isSame(lifecycle ?? {}, next) ? draft : withStatus(draft, { lifecycle: next });
}

export function ends(draft: Draft, result: PassResult): Draft {
  return { ...draft, result };
}

export function continues(draft: Draft, afterMs: number): Draft {
  return ends(draft, { kind: 'continue', afterMs });
}

export function updates(draft: Draft, afterMs: number): Draft {
  return ends(draft, { kind: 'update', afterMs });
}

/** Is looked at again; saved only if the pass has changed something since `before`. */
export function pauses(draft: Draft, before: Draft, afterMs: number, waitsFor?: string): Draft {
  const kind = draft === before ? 'continue' : 'update';
  return ends(draft, { kind, afterMs, ...(waitsFor === undefined ? {} : { waitsFor }) });
}

/** Waits for what others have to do; said on the host, which is looked at again in any case. */
export function waits(draft: Draft, afterMs: number, waitsFor: string): Draft {
  return ends(draft, { kind: 'continue', afterMs, waitsFor });
}

/** Something that only a person can put right. */
export interface Contradiction {
  /** Of the event. */
  readonly reason: string;
  /** What contradicts what, and what to change. */
  readonly message: string;
}

/**
 * The host rests, and says for as long as it lasts what about it makes no sense; the event comes once, when it is not said yet.
 * @param kind `update`: there is something else to be saved
 */
export function contradicts(draft: Draft, kind: 'continue' | 'update', afterMs: number, what: Contradiction): Draft {
  const { reason, message } = what;
  const isTold = (draft.status.conditions ?? []).some(
    (each) => each.type === 'Progressing' && each.message === message,
  );
  const told = isTold ? draft : withEvent(draft, reason, message);
  return ends(told, { kind, afterMs, waitsFor: message, isTrouble: true });
}

export function withEvent(draft: Draft, reason: string, message: string): Draft {
  return { ...draft, events: [...draft.events, { reason, message }] };
}

export function counted(
  draft: Draft,
  metric: string,
  when: Measurement['when'],
  labels: Record<string, string> = {},
): Draft {
  return { ...draft, measurements: [...draft.measurements, { metric, labels, when }] };
}

/** Removes the error, if there is one, and sets how the host stands. `errorCount` stays: it feeds the next back-off. */
export function cleared(draft: Draft, standing: OperationalStatus = 'OK'): Draft {
  const { errorType, errorMessage, operationalStatus } = draft.status;
  if (operationalStatus === standing && errorType === undefined && errorMessage === '') return draft;
  return withStatus(draft, { operationalStatus: standing, errorType: undefined, errorMessage: '' });
}

export function forgiven(draft: Draft): Draft {
  return withStatus(draft, { errorCount: 0 });
}

/**
 * The host itself is at fault: kept in status until it is solved, tried again after a back-off that grows with `errorCount`.
 * @param isSilent the machine's controller gave no answer, so that the first tries come sooner
 */
export function fails(draft: Draft, errorType: ErrorType, message: string, isSilent = false): Draft {
  const failed = withStatus(draft, {
    operationalStatus: 'error',
    errorType,
    errorMessage: message,
    errorCount: (draft.status.errorCount ?? 0) + 1,
  });
  const reason = reasons[errorType] ?? 'Error';
  const told = withEvent(counted(failed, 'metal3_host_error_total', 'saved', { error_type: reason }), reason, message);
  return ends(told, isSilent ? { kind: 'failed', isSilent } : { kind: 'failed' });
}

/** An operation goes on in the back end: look again later, saving the status only if an old error was cleared by it. */
export function polls(draft: Draft, outcome: Outcome): Draft {
  return goesOn(cleared(draft), draft, outcome);
}

/** Look again when the back end says, and wait for what it says. */
export function goesOn(draft: Draft, before: Draft, outcome: AnyOutcome): Draft {
  if (outcome.kind !== 'inProgress') return pauses(draft, before, 0);
  return pauses(draft, before, outcome.requeueAfterMs, outcome.waitsFor);
}

type AnyOutcome = Outcome | { readonly kind: 'unreachable' | 'needsImage' };

/** The text of a failed outcome. */
export function failureOf(outcome: AnyOutcome): string {
  return outcome.kind === 'failed' ? outcome.message : '';
}

/** Whether it failed for want of any answer. */
export function isSilence(outcome: AnyOutcome): boolean {
  return outcome.kind === 'failed' && outcome.isSilent === true;
}
