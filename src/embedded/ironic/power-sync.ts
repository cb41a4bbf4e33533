import type { Clock, Timer } from '../../clock.js';
import { unreachableBmc, wrongCredentials } from './failure-texts.js';
import type { FaultTable } from './fault-table.js';
import type { NodeRecord } from './node-record.js';
import type { NodeStore } from './node-store.js';
import type { Settings } from './settings.js';

/** Rounds without an answer after which a controller counts as lost. */
const maxRounds = 3;

/**
 * The periodic look at every machine's power. A controller that stays silent puts its node into maintenance with the
 * fault "power failure"; when it answers again, both go.
 */
export class PowerSync {
  private timer: Timer | null = null;
  private readonly silentRounds = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly store: NodeStore,
    private readonly faults: FaultTable,
  ) {}

  start(): void {
    if (this.settings.powerSyncMs === 0) return;
    this.timer = this.clock.after(this.settings.powerSyncMs, () => {
      this.round();
      this.start();
    });
  }

  stop(): void {
    this.timer?.cancel();
    this.timer = null;
  }

  private round(): void {
    const nodes = this.store.nodes();
    for (const node of nodes) if (isWatched(node)) this.look(node);
    const present = new Set(nodes.map((node) => node.fields.uuid));
    for (const uuid of this.silentRounds.keys()) if (!present.has(uuid)) this.silentRounds.delete(uuid);
  }

  private look(node: NodeRecord): void {
    const { fields } = node;
    const bmc = this.faults.bmcOf(node);
    if (bmc.kind === 'ok') {
      this.silentRounds.delete(fields.uuid);
      if (fields.fault === 'power failure') this.recover(node);
      return;
    }
    const rounds = (this.silentRounds.get(fields.uuid) ?? 0) + 1;
    this.silentRounds.set(fields.uuid, rounds);
    if (rounds > maxRounds && !fields.maintenance) {
      this.giveUp(node, bmc.kind === 'unreachable' ? unreachableBmc(node) : wrongCredentials(node));
    }
  }

  private recover(node: NodeRecord): void {
    const power_state = node.hardwarePower;
    Object.assign(node.fields, { maintenance: false, maintenance_reason: null, fault: null, power_state });
    this.store.save(node);
  }

  private giveUp(node: NodeRecord, cause: string): void {
    const { uuid, power_state } = node.fields;
    const text =
      `During sync_power_state, max retries exceeded for node ${uuid}, node state None does not match expected state ` +
      `'${power_state ?? 'None'}'. Updating DB state to 'None' Switching node to maintenance mode. Error: ${cause}`;
    Object.assign(node.fields, {
      power_state: null,
      last_error: text,
      maintenance: true,
      maintenance_reason: text,
      fault: 'power failure',
    });
    this.store.save(node);
  }
}

function isWatched(node: NodeRecord): boolean {
  const { provision_state, reservation, target_power_state, maintenance, fault } = node.fields;
  if (provision_state === 'enroll' || provision_state === 'verifying') return false;
  if (reservation !== null || target_power_state !== null) return false;
  return !maintenance || fault === 'power failure';
}
