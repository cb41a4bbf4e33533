/**
 * Which namespaces of hosts are open to the claims of a namespace, as the HostDeployPolicies there say. Several add up; nothing is
 * open without one, the claim's own namespace neither. Pure.
 */
import { type HostClaimNamespaces, type HostDeployPolicy, hostDeployPolicySchema } from '../../apis/index.js';
import type { KubeObject } from '../../kube/index.js';
import { Pattern, PatternError } from './pattern.js';

export type Labels = Readonly<Record<string, string>>;

/** A policy that has been read; one with a `problem` opens nothing. */
export interface Policy {
  /** Of the hosts that it opens. */
  readonly namespace: string;
  readonly problem: string | undefined;
  /** What can be told from the name alone; `byLabels`: the labels decide. */
  readonly opensTo: (name: string) => 'yes' | 'no' | 'byLabels';
  readonly acceptsLabels: (labels: Labels) => boolean;
}

const read = new WeakMap<KubeObject, Policy>();

/** Of one version of the object it is found out once. */
export function policyOf(object: KubeObject): Policy {
  const known = read.get(object);
  if (known !== undefined) return known;
  const policy = readPolicy(object);
  read.set(object, policy);
  return policy;
}

function readPolicy(object: KubeObject): Policy {
  const namespace = object.metadata.namespace ?? '';
  const { hostClaimNamespaces: rules } = (hostDeployPolicySchema.parse(object) as HostDeployPolicy).spec;
  try {
    return { namespace, problem: undefined, ...judgeOf(rules) };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const problem = `spec.hostClaimNamespaces.nameMatches: is no regular expression in the syntax of RE2: ${error.message}; correct it, since until then this policy allows nothing`;
    return { namespace, problem, ...judgeOf(undefined) };
  }
}

function judgeOf(rules: HostClaimNamespaces | undefined): Pick<Policy, 'opensTo' | 'acceptsLabels'> {
  if (rules === undefined) return { opensTo: () => 'no', acceptsLabels: () => false };
  const { names, nameMatches = '', hasLabels = [] } = rules;
  const pattern = nameMatches === '' ? undefined : new Pattern(nameMatches);
  const acceptsName = (name: string) => (names?.includes(name) ?? true) && (pattern?.isIn(name) ?? true);
  return {
    opensTo: (name) => (acceptsName(name) ? (hasLabels.length === 0 ? 'yes' : 'byLabels') : 'no'),
    acceptsLabels: (labels) =>
      hasLabels.every(
        ({ name, value = '' }) => Object.hasOwn(labels, name) && (value === '' || labels[name] === value),
      ),
  };
}

/** Namespaces of hosts that are open to claims of a namespace: for sure, and depending on the labels of that namespace. */
export interface Opening {
  readonly open: ReadonlySet<string>;
  readonly byLabels: readonly Policy[];
}

/** @param inNamespace the only namespace of hosts that is of interest; undefined: all are */
export function openingOf(policies: Iterable<Policy>, name: string, inNamespace: string | undefined): Opening {
  const open = new Set<string>();
  const byLabels: Policy[] = [];
  for (const policy of policies) {
    if (inNamespace !== undefined && policy.namespace !== inNamespace) continue;
    const verdict = policy.opensTo(name);
    if (verdict === 'yes') open.add(policy.namespace);
    if (verdict === 'byLabels') byLabels.push(policy);
  }
  return { open, byLabels: byLabels.filter(({ namespace }) => !open.has(namespace)) };
}

export function openWith({ open, byLabels }: Opening, labels: Labels): ReadonlySet<string> {
  const more = byLabels.filter((policy) => policy.acceptsLabels(labels)).map(({ namespace }) => namespace);
  return more.length === 0 ? open : new Set([...open, ...more]);
}
