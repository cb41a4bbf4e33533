import type { Random } from '../../clock.js';
import type { Activity, HistoryEntry } from './activity.js';
import { Failing, type Outcome } from './failing.js';
import type { FaultTable } from './fault-table.js';
import type { NodeFields, NodeRecord, Step, Work } from './node-record.js';
import type { NodeStore } from './node-store.js';
import { phaseEffects } from './phase-effects.js';
import { planFor, type Phase, type Plan, type PlanName } from './plans.js';
import type { Power } from './power.js';
import type { Settings } from './settings.js';
import type { Stamps } from './stamps.js';
import type { ProvisionState } from './state-table.js';
import { automatedCleanStep, deployStep, shownStep } from './step-effects.js';
import type { WorkTimers } from './work-timers.js';

export interface ConductorParts {
  store: NodeStore;
  stamps: Stamps;
  random: Random;
  settings: Settings;
  faults: FaultTable;
  activity: Activity;
  power: Power;
  timers: WorkTimers;
  /** Timers that a later phase must not cancel: late error texts. */
  errorTimers: WorkTimers;
  host: string;
}

type By = HistoryEntry['by'];

/**
 * Carries nodes through their plans, one timer for each. A phase that a restart cut short begins anew: the durations are
 * short, and no client can tell it from a slow phase. (A real conductor fails the phases in which it holds the lock.)
 */
export class Conductor {
  private readonly failing: Failing;

  constructor(private readonly parts: ConductorParts) {
    this.failing = new Failing(parts.faults);
  }

  /** Starts a plan for a request; the node is in its first state when this returns. */
  start(node: NodeRecord, plan: PlanName, action: string, steps: Step[] = []): void {
    node.fields.last_error = null;
    node.work = { plan, phase: 0, steps };
    this.enter(node, node.work, action, 'request');
  }

  /** A change of state without any work, such as `manage` of a failed node. */
  move(node: NodeRecord, state: ProvisionState, action: string): void {
    this.setState(node, state, null, action, 'request');
    this.parts.store.save(node);
  }

  /** Goes on with everything that was under way when the process ended. */
  resumeAll(): void {
    for (const node of this.parts.store.nodes()) {
      this.parts.activity.observe(node);
      node.fields.reservation = null;
      if (node.work) this.enter(node, node.work, 'resume', 'conductor');
      if (node.powerWork) this.parts.power.resume(node);
    }
  }

  /** Ends waiting work at a client's request; a step that cannot be cut short is let through first. */
  abort(node: NodeRecord): void {
    const { work, fields } = node;
    const field = fields.provision_state === 'service wait' ? 'service_step' : 'clean_step';
    const step = fields[field];
    if (work && 'step' in step && step['abortable'] !== true) {
      work.abortAfter = true;
      fields[field] = { ...step, abort_after: true };
      return this.parts.store.save(node);
    }
    this.stopWork(node);
  }

  private stopWork(node: NodeRecord): void {
    const { provision_state } = node.fields;
    const text = this.failing.abortText(node);
    if (provision_state.startsWith('serv')) return this.stopService(node, text);
    const plan = node.work && planFor(node.work.plan, node, this.parts.settings);
    if (plan) this.fail(node, plan, { text, delayMs: 0, faulty: false }, 'abort', 'request');
  }

  /** An aborted service leaves a running host. */
  private stopService(node: NodeRecord, text: string): void {
    this.end(node);
    this.setState(node, 'active', null, 'abort', 'request');
    node.fields.last_error = text;
    this.parts.power.set(node, 'power on');
    this.parts.store.save(node);
  }

  /** Drops whatever runs for a node that is being deleted. */
  forget(node: NodeRecord): void {
    this.parts.timers.cancel(node.fields.uuid);
    this.parts.errorTimers.cancel(node.fields.uuid);
    this.parts.power.forget(node);
    this.parts.activity.forget(node.fields.uuid);
    node.work = null;
  }

  private enter(node: NodeRecord, work: Work, action: string, by: By): void {
    const plan = planFor(work.plan, node, this.parts.settings);
    const phase = plan.phases[work.phase];
    if (!phase) return this.finish(node, plan);
    const { fields } = node;
    const resumed = action === 'resume' && fields.provision_state === phase.state;
    if (!resumed) this.setState(node, phase.state, plan.target, action, by);
    fields.reservation = phase.locked ? this.parts.host : null;
    this.showStep(node, work, phase);
    fields.target_power_state = phase.power && phase.power !== fields.power_state ? phase.power : null;
    this.parts.store.save(node);
    this.schedule(node, work, plan, phase);
  }

  private schedule(node: NodeRecord, work: Work, plan: Plan, phase: Phase): void {
    const { settings, faults, timers } = this.parts;
    const bmc = faults.bmcOf(node);
    const lost = work.phase === 0 && bmc.kind === 'unreachable';
    const usual = settings.millis(phase.time) * (phase.share ?? 1) * faults.slownessOf(node);
    const ms = lost ? settings.scaled(bmc.seconds) : usual;
    timers.set(node.fields.uuid, ms, () => this.leave(node, work, plan, phase));
  }

  private leave(node: NodeRecord, work: Work, plan: Plan, phase: Phase): void {
    if (node.work !== work) return;
    if (!phase.locked && node.powerWork) {
      // An agent that calls in while the node is locked tries again a little later.
      return this.parts.timers.set(node.fields.uuid, this.parts.settings.lockIntervalMs + 1, () =>
        this.leave(node, work, plan, phase),
      );
    }
    const failure = this.failing.of(node, work, plan, phase);
    if (failure) return this.failLater(node, plan, failure);
    if (work.abortAfter === true && phase.shows) return this.stopWork(node);
    if (phase.power) this.parts.power.set(node, phase.power);
    if (phase.effect) phaseEffects[phase.effect](node, this.parts, work.steps);
    this.advance(node, work, plan, phase);
  }

  private advance(node: NodeRecord, work: Work, plan: Plan, phase: Phase): void {
    if (work.phase + 1 < plan.phases.length) {
      work.phase += 1;
      return this.enter(node, work, phase.locked ? 'wait' : 'continue', 'conductor');
    }
    if (!plan.next) return this.finish(node, plan);
    node.work = { plan: plan.next, phase: 0, steps: [] };
    this.enter(node, node.work, plan.next, 'conductor');
  }

  private finish(node: NodeRecord, plan: Plan): void {
    this.end(node);
    this.setState(node, plan.end, null, 'done', 'conductor');
    this.parts.store.save(node);
  }

  private failLater(node: NodeRecord, plan: Plan, failure: Outcome): void {
    const delayMs = this.parts.settings.scaled(failure.delayMs / 1000);
    this.fail(node, plan, { ...failure, delayMs }, 'fail', 'conductor');
  }

  private fail(node: NodeRecord, plan: Plan, failure: Outcome, action: string, by: By): void {
    const { fields } = node;
    this.end(node);
    if (['inspect', 'clean', 'deploy'].includes(plan.step) && fields.power_state !== null) {
      this.parts.power.set(node, 'power off');
    }
    if (plan.step === 'adopt') fields.power_state = null;
    if (plan.fault !== undefined && failure.faulty) {
      Object.assign(fields, { maintenance: true, maintenance_reason: failure.text, fault: plan.fault });
    }
    const resting = plan.failed === 'enroll' || plan.failed === 'error';
    this.setState(node, plan.failed, resting ? null : plan.target, action, by);
    fields.last_error = failure.delayMs > 0 ? null : failure.text;
    this.parts.store.save(node);
    if (failure.delayMs > 0) this.tellLater(node, failure);
  }

  private tellLater(node: NodeRecord, failure: Outcome): void {
    const seen = node.fields.provision_updated_at;
    this.parts.errorTimers.set(node.fields.uuid, failure.delayMs, () => {
      if (node.fields.provision_updated_at !== seen) return;
      node.fields.last_error = failure.text;
      this.parts.store.save(node);
    });
  }

  /** Nothing runs any more: no timer, no lock, no step. */
  private end(node: NodeRecord): void {
    this.parts.timers.cancel(node.fields.uuid);
    node.work = null;
    const idle: Partial<NodeFields> = { clean_step: {}, deploy_step: {}, service_step: {} };
    Object.assign(node.fields, idle, { reservation: null, target_power_state: null });
  }

  private showStep(node: NodeRecord, work: Work, phase: Phase): void {
    Object.assign(node.fields, { clean_step: {}, deploy_step: {}, service_step: {} });
    const field = phase.shows;
    if (!field) return;
    const first = work.steps[0];
    const fallback = field === 'clean_step' ? automatedCleanStep : deployStep;
    const shown = first && field !== 'deploy_step' ? shownStep(first) : (first ?? fallback);
    node.fields[field] = work.abortAfter === true ? { ...shown, abort_after: true } : { ...shown };
  }

  private setState(
    node: NodeRecord,
    state: ProvisionState,
    target: ProvisionState | null,
    action: string,
    by: By,
  ): void {
    const { fields } = node;
    const from = fields.provision_state;
    fields.provision_state = state;
    fields.target_provision_state = target;
    fields.provision_updated_at = this.parts.stamps.next();
    stampInspection(fields, from);
    this.parts.activity.record(node, action, from, state, by);
    this.parts.activity.observe(node);
  }
}

/** When the present or the last inspection began and ended, as Ironic keeps it. */
function stampInspection(fields: NodeFields, from: ProvisionState): void {
  const now = fields.provision_updated_at;
  if (fields.provision_state === 'inspecting') {
    Object.assign(fields, { inspection_started_at: now, inspection_finished_at: null });
  } else if (fields.provision_state === 'inspect failed') {
    Object.assign(fields, { inspection_started_at: null, inspection_finished_at: null });
  } else if (from === 'inspecting' && fields.provision_state === 'manageable') {
    Object.assign(fields, { inspection_started_at: null, inspection_finished_at: now });
  }
}
