/** Which hosts a claim may have, and which of them it gets. Pure, apart from chance. */
import { type HostClaim, type HostSelector, inLowerCase, selectorProblems, selects } from '../../apis/index.js';
import type { Random } from '../../clock.js';
import type { Fleet } from './fleet.js';
import type { Choice, HostFacts } from './host-facts.js';

export const failureDomainLabel = 'infrastructure.cluster.x-k8s.io/failure-domain';

/** What a claim asks for. */
export interface Demand {
  /** `namespace/name` of the claim. */
  readonly claim: string;
  readonly namespace: string;
  readonly inNamespace: string | undefined;
  readonly failureDomain: string;
  readonly isWanted: (host: HostFacts) => boolean;
  /** Why no host can ever be chosen; undefined: one can. */
  readonly problem: string | undefined;
}

export function demandOf({ metadata, spec }: HostClaim): Demand {
  const { namespace = '', name = '' } = metadata;
  const selector: HostSelector = inLowerCase(spec.hostSelector ?? {});
  const [first] = selectorProblems(selector);
  return {
    ...{ claim: `${namespace}/${name}`, namespace },
    inNamespace: selector.inNamespace || undefined,
    failureDomain: spec.failureDomain ?? '',
    isWanted: (host) => selects(selector, host.labels),
    problem: first === undefined ? undefined : `spec.hostSelector.${first.field}: ${first.problem}; correct it`,
  };
}

/** @param except a choice that is known to be of no use */
export function candidates(
  fleet: Fleet,
  demand: Demand,
  open: ReadonlySet<string>,
  except: Choice | undefined,
): HostFacts[] {
  const found: HostFacts[] = [];
  if (demand.problem !== undefined) return found;
  for (const namespace of open) {
    for (const host of fleet.free(namespace)) {
      const isExcepted = except !== undefined && except.host === host.key && except.version === host.version;
      if (!isExcepted && demand.isWanted(host)) found.push(host);
    }
  }
  return found;
}

/** Each is as likely as the others; those of the wished failure domain go first, if there are any. */
export function pick(found: readonly HostFacts[], failureDomain: string, random: Random): HostFacts | undefined {
  const near = failureDomain === '' ? [] : found.filter(({ labels }) => labels[failureDomainLabel] === failureDomain);
  const all = near.length > 0 ? near : found;
  return all[Math.floor(random.next() * all.length)];
}

/** Whether a host that has been chosen before is still one that the claim may have. */
export function isStillFit(host: HostFacts, demand: Demand, open: ReadonlySet<string>): boolean {
  return (
    demand.problem === undefined && host.obstacle === undefined && open.has(host.namespace) && demand.isWanted(host)
  );
}
