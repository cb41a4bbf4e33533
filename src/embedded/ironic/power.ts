import type { Activity } from './activity.js';
import { unreachableBmc, wrongCredentials } from './failure-texts.js';
import type { FaultTable } from './fault-table.js';
import type { NodeRecord, PowerState } from './node-record.js';
import type { NodeStore } from './node-store.js';
import type { Settings } from './settings.js';
import type { Stamps } from './stamps.js';
import type { WorkTimers } from './work-timers.js';

export const powerTargets = ['power on', 'power off', 'rebooting', 'soft power off', 'soft rebooting'] as const;
export type PowerTarget = (typeof powerTargets)[number];

export const isPowerTarget = (text: unknown): text is PowerTarget =>
  (powerTargets as readonly unknown[]).includes(text);
export const isSoft = (target: PowerTarget): boolean => target.startsWith('soft');
const resultOf = (target: PowerTarget): PowerState => (target.endsWith('off') ? 'power off' : 'power on');

/** Turns machines on and off. A change takes its time, during which the node is locked. */
export class Power {
  constructor(
    private readonly store: NodeStore,
    private readonly stamps: Stamps,
    private readonly timers: WorkTimers,
    private readonly settings: Settings,
    private readonly faults: FaultTable,
    private readonly activity: Activity,
    private readonly host: string,
  ) {}

  /** Starts a change that was asked for; the node must not be locked. */
  start(node: NodeRecord, target: PowerTarget): void {
    const result = resultOf(target);
    node.fields.last_error = null;
    if (node.fields.power_state === result && !target.includes('reboot')) return this.store.save(node);
    node.fields.target_power_state = result;
    node.fields.reservation = this.host;
    node.powerWork = { action: target, result };
    this.store.save(node);
    this.schedule(node);
  }

  /** Goes on with a change that a restart cut short. */
  resume(node: NodeRecord): void {
    node.fields.reservation = this.host;
    this.schedule(node);
  }

  /** Drops a change of a node that is being deleted. */
  forget(node: NodeRecord): void {
    this.timers.cancel(node.fields.uuid);
    node.powerWork = null;
  }

  /** A change of the conductor's own, at the end of a phase. */
  set(node: NodeRecord, state: PowerState): void {
    const { fields } = node;
    fields.target_power_state = null;
    if (state === 'power off' && fields.disable_power_off) return;
    if (fields.power_state === state && node.hardwarePower === state) return;
    this.activity.record(node, state, fields.power_state, state, 'conductor');
    this.changed(node, state);
  }

  private schedule(node: NodeRecord): void {
    const { uuid } = node.fields;
    const work = node.powerWork;
    if (!work) return;
    const phase = work.action.startsWith('soft') ? 'softPower' : 'power';
    const ms = this.settings.millis(phase) * this.faults.slownessOf(node);
    this.timers.set(uuid, ms, () => this.finish(node, work.action, work.result));
  }

  private finish(node: NodeRecord, action: string, result: PowerState): void {
    const { fields } = node;
    const cause = this.failureOf(node);
    node.powerWork = null;
    fields.target_power_state = null;
    fields.reservation = null;
    if (cause === null) {
      this.activity.record(node, action, fields.power_state, result, 'request');
      this.changed(node, result);
    } else {
      fields.last_error = `Failed to change power state to '${result}' by '${action}': ${cause}`;
    }
    this.store.save(node);
  }

  private failureOf(node: NodeRecord): string | null {
    const injected = this.faults.take(node, 'power');
    if (injected) return injected.text;
    const bmc = this.faults.bmcOf(node);
    if (bmc.kind === 'unreachable') return unreachableBmc(node);
    return bmc.kind === 'wrong-credentials' ? wrongCredentials(node) : null;
  }

  private changed(node: NodeRecord, state: PowerState): void {
    node.hardwarePower = state;
    node.fields.power_state = state;
    node.fields.driver_internal_info = {
      ...node.fields.driver_internal_info,
      last_power_state_change: this.stamps.next().replace('+00:00', ''),
    };
  }
}
