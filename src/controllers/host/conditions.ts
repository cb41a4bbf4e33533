/**
 * `status.conditions`, computed once from the final status (host-lifecycle spec §9): base values by state, then what
 * overrides them. A condition's time moves only when its status does.
 */
import type { BareMetalHostStatus, Condition } from '../../apis/index.js';

type Truth = 'True' | 'False' | 'Unknown';
type Verdict = readonly [Truth, string];

export interface ConditionFacts {
  readonly status: BareMetalHostStatus;
  readonly generation: number;
  /** RFC 3339. */
  readonly now: string;
  readonly powerFailure: boolean;
  /** As the back end says it, "" when unknown. */
  readonly health: string;
  /** What the host waits for that is none of its own fault; shown as the message of Progressing. */
  readonly trouble: string;
}

interface Base {
  readonly manageable: Verdict;
  readonly progressing: string | undefined;
  readonly available?: true;
  readonly provisioned?: true;
  readonly checksPower: boolean;
}

const manageable: Verdict = ['True', 'Manageable'];

function progressing(reason: string, checksPower = true): Base {
  return { manageable, progressing: reason, checksPower };
}

const unmanaged: Base = { manageable: ['False', 'NotManaged'], progressing: undefined, checksPower: false };
const provisioned: Base = { manageable, progressing: undefined, provisioned: true, checksPower: true };
const available: Base = { manageable, progressing: undefined, available: true, checksPower: true };

const bases: Readonly<Record<string, Base>> = {
  '': unmanaged,
  unmanaged,
  registering: { manageable: ['False', 'Registering'], progressing: 'Registering', checksPower: false },
  inspecting: progressing('Inspecting'),
  'match profile': progressing('Inspecting'),
  preparing: progressing('Preparing'),
  provisioning: progressing('Provisioning'),
  deprovisioning: progressing('Deprovisioning'),
  'powering off before delete': progressing('PoweringOffBeforeDelete'),
  deleting: progressing('Deleting', false),
  available,
  ready: available,
  provisioned,
  'externally provisioned': provisioned,
};

export function checksPowerFailure({ provisioning, operationalStatus }: BareMetalHostStatus): boolean {
  return operationalStatus !== 'detached' && (bases[provisioning.state] ?? unmanaged).checksPower;
}

const standings: Readonly<Record<string, string>> = { error: 'Error', servicing: 'Servicing', detached: 'Detached' };

function verdicts({ status, powerFailure, health }: ConditionFacts): [string, Verdict | undefined][] {
  const base = bases[status.provisioning.state] ?? unmanaged;
  const standing = standings[status.operationalStatus];
  return [
    ['Ready', readiness(base, standing)],
    ['AvailableForProvisioning', base.available ? ['True', 'Available'] : ['False', 'NotAvailable']],
    ['Healthy', healthOf(status, health)],
    ['Manageable', manageability(base, status, powerFailure)],
    ['Progressing', progress(base, standing)],
    ['Provisioned', base.provisioned ? ['True', 'Provisioned'] : ['False', 'NotProvisioned']],
  ];
}

function readiness(base: Base, standing: string | undefined): Verdict {
  if (standing !== undefined) return ['False', standing];
  if (base.available) return ['False', 'NotProvisioned'];
  return base.provisioned ? ['True', 'Provisioned'] : ['False', 'NotProvisioned'];
}

function manageability(base: Base, status: BareMetalHostStatus, powerFailure: boolean): Verdict {
  if (powerFailure && checksPowerFailure(status)) return ['False', 'PowerFailure'];
  const isRefused = status.provisioning.state === 'registering' && status.operationalStatus === 'error';
  return isRefused ? ['False', 'RegistrationFailed'] : base.manageable;
}

function progress(base: Base, standing: string | undefined): Verdict {
  if (standing === 'Detached') return ['False', 'Detached'];
  return base.progressing === undefined ? ['False', 'NotProgressing'] : ['True', base.progressing];
}

const healths: Readonly<Record<string, Verdict>> = {
  OK: ['True', 'Healthy'],
  Warning: ['False', 'Warning'],
  Critical: ['False', 'CriticalError'],
};

/** An unknown health keeps what was known before. */
function healthOf({ conditions }: BareMetalHostStatus, health: string): Verdict | undefined {
  if (health !== '') return healths[health] ?? ['Unknown', 'Unknown'];
  return (conditions ?? []).some(({ type }) => type === 'Healthy') ? undefined : ['Unknown', 'Unknown'];
}

export function computeConditions(facts: ConditionFacts): Condition[] {
  const before = new Map((facts.status.conditions ?? []).map((condition) => [condition.type, condition]));
  const computed = verdicts(facts).map(([type, verdict]) => {
    const old = before.get(type);
    before.delete(type);
    return condition(type, verdict, old, facts);
  });
  // Conditions of others are not ours to drop.
  return [...computed, ...before.values()];
}

function condition(
  type: string,
  verdict: Verdict | undefined,
  old: Condition | undefined,
  facts: ConditionFacts,
): Condition {
  const [status, reason] = verdict ?? [old?.status ?? 'Unknown', old?.reason ?? 'Unknown'];
  return {
    type,
    status,
    reason,
    message: type === 'Progressing' ? facts.trouble : '',
    lastTransitionTime: old?.status === status ? old.lastTransitionTime : facts.now,
    observedGeneration: facts.generation,
  };
}
