/** The switches of a namespace, and what can be said of them before a Secret is read. Pure. */
import {
  type BareMetalSwitch,
  bareMetalSwitchSchema,
  type BareMetalSwitchSpec,
  type Condition,
} from '../../apis/index.js';
import type { KubeObject } from '../../kube/index.js';
import { lineProblem } from './file-line.js';

/** `CredentialError` is known to whoever reads these objects; the others are Ironchart's own. */
export type TroubleReason =
  'CredentialError' | 'ConfigurationError' | 'TargetSecretMissing' | 'TargetSecretImmutable' | 'TargetSecretRefused';

export interface Trouble {
  readonly reason: TroubleReason;
  readonly message: string;
  /** Nothing tells when it is over: it has to be looked for. */
  readonly isToBeLookedFor?: boolean;
}

export interface Listed {
  readonly object: KubeObject;
  readonly parsed: BareMetalSwitch;
  /** undefined: none yet. */
  readonly trouble: Trouble | undefined;
}

/** In the order of their names. Of two with one MAC address the one that was there first is kept: times are whole seconds. */
export function rosterOf(objects: Iterable<KubeObject>, namespace: string, targets: readonly string[]): Listed[] {
  const here = [...objects].filter(({ metadata }) => metadata.namespace === namespace);
  const byAge = here.sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
  const holders = new Map<string, string>();
  const listed = byAge.map((object): Listed => {
    const parsed = bareMetalSwitchSchema.parse(object) as BareMetalSwitch;
    const mac = parsed.spec.macAddress.toLowerCase();
    const holder = holders.get(mac);
    if (holder === undefined) holders.set(mac, object.metadata.name);
    const twin = holder === undefined ? undefined : twinTrouble(mac, holder);
    return { object, parsed, trouble: twin ?? specTrouble(parsed.spec, namespace, targets) };
  });
  return listed.sort((a, b) => (a.object.metadata.name < b.object.metadata.name ? -1 : 1));
}

function isToldToIronic(status: unknown): boolean {
  const { conditions = [] } = (status ?? {}) as { conditions?: readonly Condition[] };
  return conditions.some(({ type, status: verdict }) => type === 'Valid' && verdict === 'True');
}

function ageOf({ metadata: { creationTimestamp = '', name }, status }: KubeObject): string {
  return `${creationTimestamp} ${isToldToIronic(status) ? 0 : 1} ${name}`;
}

function twinTrouble(mac: string, holder: string): Trouble {
  const message = `spec.macAddress: ${mac} is that of the switch ${holder} already: correct it, or delete one of the two`;
  return { reason: 'ConfigurationError', message };
}

function specTrouble(spec: BareMetalSwitchSpec, namespace: string, targets: readonly string[]): Trouble | undefined {
  for (const field of ['address', 'macAddress', 'deviceType'] as const) {
    const problem = lineProblem(spec[field]);
    if (problem !== undefined) {
      return { reason: 'ConfigurationError', message: `spec.${field}: ${problem}: write it in one line of text` };
    }
  }
  const message = referenceProblem(spec, namespace, targets);
  return message === undefined ? undefined : { reason: 'CredentialError', message };
}

function referenceProblem(
  { credentials }: BareMetalSwitchSpec,
  namespace: string,
  targets: readonly string[],
): string | undefined {
  const { name = '', namespace: asked = '' } = credentials ?? {};
  if (name === '') return 'spec.credentials.name: is not set: name the Secret with the login of the switch';
  if (asked !== '' && asked !== namespace) {
    return `spec.credentials.namespace: is ${asked}: a switch may only use Secrets of its own namespace, ${namespace}`;
  }
  // It would come to belong to the switch, and go with it.
  if (targets.includes(name)) {
    return `spec.credentials.name: ${name} is filled by the operator for Ironic: name another Secret`;
  }
  return undefined;
}
