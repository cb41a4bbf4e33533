/**
 * The BMC credentials as the entry to a pass (host-lifecycle spec §1.2): without usable ones a host gets no further, unless it
 * is being deleted, which must not hang on a Secret that is gone.
 */
import { credentialsMatch, newDraft, fails, type Observed } from '../../../machines/index.js';
import type { BareMetalHostStatus, LifecycleStatus } from '../../apis/index.js';
import { timestamp } from '../../clock.js';
import type { Decision } from '../../kube/index.js';
import { computeConditions } from './conditions.js';
import type { CredentialsReader } from './discretion.js';
import type { HostDependencies } from './dependencies.js';
import { measure } from './measuring.js';
import { mergeDiff } from './merge-diff.js';
import type { PassScope } from './scope.js';
import type { CredentialsAnswer } from './secret-reader.js';
import { complete } from './status.js';

export type Entry =
  | { readonly kind: 'refused'; readonly decision: Decision }
  | {
      readonly kind: 'open';
      readonly haveCredentials: boolean;
      readonly credentials: CredentialsReader;
      readonly version: Observed['credentials'];
    };

const missingSecretRetryMs = 10_000;

export const withoutCredentials: Entry = {
  kind: 'open',
  haveCredentials: false,
  credentials: () => Promise.resolve(undefined),
  version: {},
};

type Fault = Exclude<CredentialsAnswer, { kind: 'good' }>;

export class CredentialsGate {
  constructor(private readonly deps: HostDependencies) {}

  async check(scope: PassScope): Promise<Entry> {
    const { host, status, signal } = scope;
    const proven = this.#proven(scope);
    if (proven !== undefined) return proven;
    const answer = await this.#read(scope, status.provisioning.state, signal);
    if (answer.kind === 'good') {
      const { credentials, version } = answer;
      return { kind: 'open', haveCredentials: true, credentials: () => Promise.resolve(credentials), version };
    }
    if (host.metadata.deletionTimestamp !== undefined) return withoutCredentials;
    this.deps.metrics.count(`metal3_credentials_${answer.kind}_total`);
    return { kind: 'refused', decision: await this.#refuse(scope, answer) };
  }

  /**
   * The Secret that is known to be good, claimed, and as the watch last saw it: there is nothing to be read of it, unless the
   * back end comes to need it. A change of it is on its way by the same watch.
   */
  #proven(scope: PassScope): Entry | undefined {
    const { host, status, signal } = scope;
    const version = this.deps.secrets.claimedVersion(host, status.provisioning.state);
    if (version === undefined || status.provisioning.ID === '') return undefined;
    if (!credentialsMatch(status.goodCredentials, version)) return undefined;
    const credentials = async () => {
      const answer = await this.#read(scope, status.provisioning.state, signal);
      return answer.kind === 'good' ? answer.credentials : undefined;
    };
    return { kind: 'open', haveCredentials: true, credentials, version };
  }

  async #read({ host }: PassScope, state: string, signal: AbortSignal): Promise<CredentialsAnswer> {
    try {
      return await this.deps.secrets.credentials(host, state, signal);
    } catch (error) {
      this.deps.metrics.count('metal3_credentials_unhandled_error_total');
      throw error;
    }
  }

  async #refuse(scope: PassScope, { kind, message }: Fault): Promise<Decision> {
    const { key, status, carried, host, writer, telling } = scope;
    const decision: Decision = kind === 'missing' ? { kind: 'after', ms: missingSecretRetryMs } : { kind: 'done' };
    // An invalid Secret is one failure, however often the host is looked at: only a change of it brings news.
    const isTold = status.errorType === 'registration error' && status.errorMessage === message;
    if (kind === 'invalid' && isTold) {
      this.#report(scope, message, decision);
      return decision;
    }
    const now = timestamp(this.deps.clock.now());
    const draft = fails(newDraft(status), 'registration error', message);
    const facts = { status: draft.status, generation: host.metadata.generation ?? 0, now };
    const wanted = {
      ...complete(draft.status),
      conditions: computeConditions({ ...facts, powerFailure: hasPowerFailure(status), health: '', trouble: '' }),
      lifecycle: waitingLifecycle(status, {
        waitsFor: message,
        now,
        retryMs: kind === 'missing' ? missingSecretRetryMs : 0,
      }),
    };
    const patch = mergeDiff(carried.saved, wanted);
    if (patch !== undefined) await writer.patchStatus({ ...patch, lastUpdated: now });
    measure(this.deps.metrics, key, carried.measurements, 'saved');
    telling.publishQueued();
    telling.now('BMCCredentialError', message);
    this.#report(scope, message, decision);
    return decision;
  }

  #report({ key, carried, status }: PassScope, waitsFor: string, decision: Decision): void {
    this.deps.onReport({
      key,
      at: this.deps.clock.now(),
      from: carried.saved.provisioning.state,
      to: status.provisioning.state,
      standing: 'error',
      outcome: 'failed',
      waitsFor,
      nodeState: '',
      isSilent: false,
      nextMs: decision.kind === 'after' ? decision.ms : undefined,
      restoredFrom: '',
    });
  }
}

/** As it was seen last: nobody has looked at the machine. */
function hasPowerFailure({ conditions = [] }: BareMetalHostStatus): boolean {
  return conditions.some(({ type, reason }) => type === 'Manageable' && reason === 'PowerFailure');
}

interface Wait {
  readonly waitsFor: string;
  /** RFC 3339. */
  readonly now: string;
  /** Milliseconds; 0: only a change brings the next try. */
  readonly retryMs: number;
}

/** The chart was not asked: what it left behind stays, but what the host waits for now is something else. */
function waitingLifecycle(status: BareMetalHostStatus, { waitsFor, now, retryMs }: Wait): LifecycleStatus {
  const { nextRetryAt: _old, ...known } = status.lifecycle ?? {};
  const { state } = status.provisioning;
  const nextRetryAt = retryMs > 0 ? timestamp(Date.parse(now) + retryMs) : undefined;
  return {
    ...known,
    state,
    since: known.state === state ? known.since : now,
    waitsFor,
    ...(nextRetryAt === undefined ? {} : { nextRetryAt }),
  };
}
