import type { Random } from '../../clock.js';
import type { ApiRule, Failure, Faults, FaultStep, HostMatch, HostRule } from './fault-schema.js';
import { globMatches } from './glob.js';
import { bmcAddressOf, driverSetting, type NodeRecord } from './node-record.js';

/** A failure that must happen now. */
export interface InjectedFailure {
  text: string;
  errorDelaySeconds: number;
}

/** How a management controller answers. */
export type BmcCondition = { kind: 'ok' } | { kind: 'wrong-credentials' } | { kind: 'unreachable'; seconds: number };

const defaultTexts: Readonly<Record<FaultStep, string>> = {
  verify: 'the power state could not be read',
  inspect: 'no disks found',
  clean: 'disk is on fire',
  deploy: 'image could not be written',
  undeploy: 'the machine did not power off',
  adopt: 'boot information is missing',
  service: 'the setting was refused',
  power: 'the controller refused the change',
};

/**
 * The faults in force. `times` counts for each matching host (or, for API rules, over all matching requests) since the
 * table was last set.
 */
export class FaultTable {
  private faults: Faults = { rules: [], api: [] };
  private used = new Map<Failure, Map<string, number>>();
  private apiUsed = new Map<ApiRule, number>();

  constructor(
    private readonly random: Random,
    private readonly macsOf: (nodeUuid: string) => string[],
  ) {}

  set(faults: Faults): void {
    this.faults = faults;
    this.used = new Map();
    this.apiUsed = new Map();
  }

  /** The failure of this step of this host, if one is due; takes one of its `times`. */
  take(node: NodeRecord, step: FaultStep): InjectedFailure | null {
    for (const rule of this.rulesFor(node)) {
      const failures = rule.fail === undefined ? [] : [rule.fail].flat();
      const due = failures.find((failure) => failure.step === step && this.isDue(failure, node.fields.uuid));
      if (due) return { text: due.text ?? defaultTexts[step], errorDelaySeconds: due.errorDelaySeconds ?? 0 };
    }
    return null;
  }

  bmcOf(node: NodeRecord): BmcCondition {
    for (const rule of this.rulesFor(node)) {
      if (rule.unreachable) {
        return { kind: 'unreachable', seconds: rule.unreachable === true ? 50 : rule.unreachable.seconds };
      }
      const taken = rule.credentials;
      if (!taken) continue;
      const right =
        driverSetting(node, '_username') === taken.username && driverSetting(node, '_password') === taken.password;
      if (!right) return { kind: 'wrong-credentials' };
    }
    return { kind: 'ok' };
  }

  /** The factor on the times of this host, as it is now: some rules concern a single provision state. */
  slownessOf(node: NodeRecord): number {
    return this.rulesFor(node).reduce((factor, { slow = 1 }) => {
      if (typeof slow === 'number') return factor * slow;
      return slow.state === node.fields.provision_state ? factor * slow.factor : factor;
    }, 1);
  }

  softPowerOffSupported(node: NodeRecord): boolean {
    return !this.rulesFor(node).some((rule) => rule.softPowerOff === 'unsupported');
  }

  healthOf(node: NodeRecord): HostRule['health'] {
    return this.rulesFor(node).find((rule) => rule.health !== undefined)?.health;
  }

  /** The fault of this request, if one is due; takes one of its `times`. */
  takeApi(method: string, path: string): ApiRule | null {
    for (const rule of this.faults.api) {
      if (rule.match.method !== undefined && !globMatches(rule.match.method, method)) continue;
      if (rule.match.path !== undefined && !globMatches(rule.match.path, path)) continue;
      const used = this.apiUsed.get(rule) ?? 0;
      if (rule.times !== undefined && used >= rule.times) continue;
      this.apiUsed.set(rule, used + 1);
      return rule;
    }
    return null;
  }

  private rulesFor(node: NodeRecord): HostRule[] {
    return this.faults.rules.filter((rule) => this.matches(rule.match, node));
  }

  private matches(match: HostMatch, node: NodeRecord): boolean {
    const name = node.fields.name ?? '';
    const nameFits =
      match.name === undefined ||
      globMatches(match.name, name) ||
      globMatches(match.name, name.slice(name.lastIndexOf('~') + 1));
    const addressFits = match.bmcAddress === undefined || globMatches(match.bmcAddress, bmcAddressOf(node));
    if (!nameFits || !addressFits) return false;
    const { mac } = match;
    return mac === undefined || this.macsOf(node.fields.uuid).some((address) => globMatches(mac, address));
  }

  private isDue(failure: Failure, uuid: string): boolean {
    const counts = this.used.get(failure) ?? new Map<string, number>();
    this.used.set(failure, counts);
    const used = counts.get(uuid) ?? 0;
    if (failure.times !== undefined && used >= failure.times) return false;
    if (failure.percentage !== undefined && this.random.next() * 100 >= failure.percentage) return false;
    counts.set(uuid, used + 1);
    return true;
  }
}
