/** The end of a pass: one status patch if something is new, then events, measurements and the report, then the queue's order. */
import { busyStates, type Draft, type Observed } from '../../../machines/index.js';
import { timestamp } from '../../clock.js';
import type { Decision } from '../../kube/index.js';
import type { Provisioner } from '../../provisioner/index.js';
import { checksPowerFailure } from './conditions.js';
import { decide } from './decision.js';
import type { HostDependencies } from './dependencies.js';
import { carry } from './folding.js';
import { measure } from './measuring.js';
import type { PassOutcome } from './pass.js';
import type { PassScope } from './scope.js';
import { settle, statusPatch } from './status.js';
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

/** A deleted host whose inspection goes on in the back end is still busy here. */
const windingDown = 'powering off before delete';

export class Settlement {
  constructor(private readonly deps: HostDependencies) {}

  /** The pass as it ended, with a change of the lifecycle state written into its draft. */
  settle({ observed }: Concluding, outcome: PassOutcome): Draft {
    return settle(outcome.draft, outcome.from, outcome.snapshot, observed);
  }

  /** Another pass follows at once: only what is counted at once, and the events in their order, are taken from this one. */
  fold(scope: PassScope, draft: Draft): PassScope {
    measure(this.deps.metrics, scope.key, draft.measurements, 'now');
    for (const { reason, message } of draft.events) scope.telling.queue(reason, message);
    return { ...scope, status: draft.status, carried: carry(scope.carried, draft) };
  }

  async conclude(concluding: Concluding, outcome: PassOutcome, draft: Draft): Promise<Settled> {
    const { scope, observed } = concluding;
    const result = draft.result ?? { kind: 'complete' };
    const decision = decide(
      result,
      {
        errorCount: draft.status.errorCount,
        slot: observed.slot,
        isLeaving: scope.host.metadata.deletionTimestamp !== undefined,
      },
      this.deps.random,
    );
    const waiting = waitsFor(draft, observed);
    measure(this.deps.metrics, scope.key, draft.measurements, 'now');
    await this.#save(concluding, draft, outcome, decision, waiting);
    measure(this.deps.metrics, scope.key, [...scope.carried.measurements, ...draft.measurements], 'saved');
    for (const { reason, message } of draft.events) scope.telling.queue(reason, message);
    scope.telling.publishQueued();
    this.#report(concluding, outcome, draft, decision, waiting);
    return { decision, keepsSlot: this.#keepsSlot(scope, observed, draft) };
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

  async #save(
    { scope, provisioner }: Concluding,
    draft: Draft,
    { snapshot }: PassOutcome,
    decision: Decision,
    waiting: string,
  ): Promise<void> {
    const { clock } = this.deps;
    const isFailed = draft.result?.kind === 'failed' && decision.kind === 'after';
    const patch = statusPatch({
      before: scope.carried.saved,
      isOwed: scope.carried.isOwed,
      draft,
      snapshot,
      generation: scope.host.metadata.generation ?? 0,
      now: timestamp(clock.now()),
      powerFailure: checksPowerFailure(draft.status) && (await provisioner.hasPowerFailure()),
      health: await provisioner.health(),
      waitsFor: waiting,
      nextRetryAt: isFailed ? timestamp(clock.now() + decision.ms) : undefined,
    });
    if (patch !== undefined) await scope.writer.patchStatus(patch);
  }

  #report(
    { scope, provisioner }: Concluding,
    outcome: PassOutcome,
    draft: Draft,
    decision: Decision,
    waiting: string,
  ): void {
    const report = {
      key: scope.key,
      at: this.deps.clock.now(),
      from: scope.carried.saved.provisioning.state,
      to: draft.status.provisioning.state,
      standing: draft.status.operationalStatus,
      outcome: draft.result?.kind ?? 'complete',
      waitsFor: waiting,
      nodeState: provisioner.progress().state,
      nextMs: decision.kind === 'after' ? decision.ms : decision.kind === 'backoff' ? 0 : undefined,
      restoredFrom: outcome.restoredFrom,
    };
    this.deps.onReport(report);
    const { key: host, at: _at, nextMs: _next, ...fields } = report;
    const level = report.from === report.to ? 'debug' : 'info';
    this.deps.log[level]({ host, ...fields }, 'pass');
  }
}
