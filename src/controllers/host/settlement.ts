/** The end of a pass: one status patch if something is new, then events, measurements and the report, then the queue's order. */
import { busyStates, type Draft, type Observed } from '../../../machines/index.js';
import { timestamp } from '../../clock.js';
import type { Decision } from '../../kube/index.js';
import type { Provisioner } from '../../provisioner/index.js';
import { checksPowerFailure } from './conditions.js';
import { decide } from './decision.js';
import type { HostDependencies } from './dependencies.js';
import { bringsUnseenState, carry, nothingCarried } from './folding.js';
import { measure } from './measuring.js';
import { mergeDiff } from './merge-diff.js';
import type { PassOutcome } from './pass.js';
import type { PassReport } from './report.js';
import type { PassScope } from './scope.js';
import { settle, type StatusFacts, statusOf, statusPatch } from './status.js';
import { waitsFor } from './waiting.js';

/** What a pass was made on. */
export interface Concluding {
  readonly scope: PassScope;
  readonly observed: Observed;
  readonly provisioner: Provisioner;
}

export interface Settled {
  readonly decision: Decision;
  /** The host goes on keeping the back end busy. */
  readonly keepsSlot: boolean;
}

/** A pass, and what follows from it. */
interface Ended {
  readonly concluding: Concluding;
  readonly outcome: PassOutcome;
  readonly draft: Draft;
  readonly decision: Decision;
  /** "" when the host waits for nothing. */
  readonly waiting: string;
}

/** A deleted host whose inspection goes on in the back end is still busy here. */
const windingDown = 'powering off before delete';

export class Settlement {
  constructor(private readonly deps: HostDependencies) {}

  /** The pass as it ended, with a change of the lifecycle state written into its draft. */
  settle(observed: Observed, outcome: PassOutcome): Draft {
    return settle(outcome.draft, outcome.from, outcome.snapshot, observed);
  }

  /** Another pass follows at once: only what is counted at once, and the events in their order, are taken from this one. */
  async fold(concluding: Concluding, outcome: PassOutcome, draft: Draft): Promise<PassScope> {
    const { scope } = concluding;
    measure(this.deps.metrics, scope.key, draft.measurements, 'now');
    for (const { reason, message } of draft.events) scope.telling.queue(reason, message);
    const ended = this.#ended(concluding, outcome, draft);
    const folded = { ...scope, status: draft.status, carried: carry(scope.carried, draft, this.#reportOf(ended)) };
    // A new state is saved as a whole, with all that belongs to it, whatever becomes of the pass that follows.
    return bringsUnseenState(folded) ? { ...folded, status: statusOf(await this.#facts(ended)) } : folded;
  }

  /** Saves what earlier passes have left, before the one that runs comes to its end. */
  async pay(scope: PassScope): Promise<PassScope> {
    const { key, carried, status, writer, telling } = scope;
    if (!carried.isOwed) return scope;
    const patch = mergeDiff(carried.saved, status);
    if (patch !== undefined) await writer.patchStatus({ ...patch, lastUpdated: timestamp(this.deps.clock.now()) });
    measure(this.deps.metrics, key, carried.measurements, 'saved');
    telling.publishQueued();
    if (carried.report !== undefined && bringsUnseenState(scope)) this.#tell(carried.report);
    return { ...scope, carried: nothingCarried(status) };
  }

  async conclude(concluding: Concluding, outcome: PassOutcome, draft: Draft): Promise<Settled> {
    const { scope, observed } = concluding;
    const ended = this.#ended(concluding, outcome, draft);
    measure(this.deps.metrics, scope.key, draft.measurements, 'now');
    const patch = statusPatch(await this.#facts(ended));
    if (patch !== undefined) await scope.writer.patchStatus(patch);
    measure(this.deps.metrics, scope.key, [...scope.carried.measurements, ...draft.measurements], 'saved');
    for (const { reason, message } of draft.events) scope.telling.queue(reason, message);
    scope.telling.publishQueued();
    this.#tell(this.#reportOf(ended));
    return { decision: ended.decision, keepsSlot: this.#keepsSlot(scope, observed, draft) };
  }

  #ended(concluding: Concluding, outcome: PassOutcome, draft: Draft): Ended {
    const { scope, observed } = concluding;
    const stakes = {
      errorCount: draft.status.errorCount,
      slot: observed.slot,
      isLeaving: scope.host.metadata.deletionTimestamp !== undefined,
    };
    const decision = decide(draft.result ?? { kind: 'complete' }, stakes, this.deps.random);
    return { concluding, outcome, draft, decision, waiting: waitsFor(draft, observed) };
  }

  #keepsSlot({ key, status }: PassScope, { slot }: Observed, draft: Draft): boolean {
    const { kind } = draft.result ?? { kind: 'complete' };
    if (kind === 'delayed') return true;
    if (kind === 'failed' || kind === 'deleteComplete' || draft.status.operationalStatus === 'detached') return false;
    // The work that a host has waited for begins with its next pass; without its slot it would be in line again.
    const hasItsTurn = status.operationalStatus === 'delayed' && slot.kind === 'granted';
    const { state } = draft.status.provisioning;
    return hasItsTurn || busyStates.has(state) || (state === windingDown && this.deps.ledger.holds(key));
  }

  async #facts({ concluding, outcome, draft, decision, waiting }: Ended): Promise<StatusFacts> {
    const { scope, provisioner } = concluding;
    const { clock } = this.deps;
    const isFailed = draft.result?.kind === 'failed' && decision.kind === 'after';
    return {
      before: scope.carried.saved,
      isOwed: scope.carried.isOwed,
      draft,
      snapshot: outcome.snapshot,
      generation: scope.host.metadata.generation ?? 0,
      now: timestamp(clock.now()),
      powerFailure: checksPowerFailure(draft.status) && (await provisioner.hasPowerFailure()),
      health: await provisioner.health(),
      waitsFor: waiting,
      nextRetryAt: isFailed ? timestamp(clock.now() + decision.ms) : undefined,
    };
  }

  #reportOf({ concluding, outcome, draft, decision, waiting }: Ended): PassReport {
    const { scope, provisioner } = concluding;
    const { result } = draft;
    return {
      key: scope.key,
      at: this.deps.clock.now(),
      from: scope.carried.saved.provisioning.state,
      to: draft.status.provisioning.state,
      standing: draft.status.operationalStatus,
      outcome: result?.kind ?? 'complete',
      isSilent: result?.kind === 'failed' && result.isSilent === true,
      waitsFor: waiting,
      nodeState: provisioner.progress().state,
      nextMs: decision.kind === 'after' ? decision.ms : decision.kind === 'backoff' ? 0 : undefined,
      restoredFrom: outcome.restoredFrom,
    };
  }

  #tell(report: PassReport): void {
    this.deps.onReport(report);
    const { key: host, at: _at, nextMs: _next, ...fields } = report;
    const level = report.from === report.to ? 'debug' : 'info';
    this.deps.log[level]({ host, ...fields }, 'pass');
  }
}
