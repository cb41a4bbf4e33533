/** Why a claim has no host, in words for whoever made it: nothing is told of namespaces that no policy opens to it. Pure. */
import type { Demand } from './choice.js';
import type { Fleet } from './fleet.js';
import { type Obstacle, obstacles } from './host-facts.js';

/** @param unreadable policies that nobody can tell the meaning of */
export function whyNone(fleet: Fleet, demand: Demand, open: ReadonlySet<string>, unreadable: number): string {
  if (demand.problem !== undefined) return demand.problem;
  if (open.size === 0) return notAdmitted(demand, unreadable);
  const { seen, wanted, counts } = census(fleet, demand, open);
  if (seen === 0) return `there is no host in the namespaces that are open to ${demand.namespace}`;
  const hosts = `the ${seen} ${seen === 1 ? 'host' : 'hosts'} open to the namespace ${demand.namespace}`;
  if (wanted === 0) return `none of ${hosts} matches spec.hostSelector`;
  const found = obstacles.filter((each) => counts.has(each)).map((each) => `${counts.get(each)} ${each}`);
  return `of ${hosts}, ${wanted} ${wanted === 1 ? 'matches' : 'match'} spec.hostSelector: ${found.join(', ') || 'none can be had yet'}`;
}

function census(fleet: Fleet, demand: Demand, open: ReadonlySet<string>) {
  const counts = new Map<Obstacle, number>();
  let [seen, wanted] = [0, 0];
  for (const host of [...open].flatMap((namespace) => [...fleet.in(namespace)])) {
    seen += 1;
    if (!demand.isWanted(host)) continue;
    wanted += 1;
    if (host.obstacle !== undefined) counts.set(host.obstacle, (counts.get(host.obstacle) ?? 0) + 1);
  }
  return { seen, wanted, counts };
}

function notAdmitted({ namespace, inNamespace }: Demand, unreadable: number): string {
  const where = inNamespace === undefined ? '' : ` of the namespace ${inNamespace}`;
  const others = unreadable === 0 ? '' : `; ${unreadable} ${unreadable === 1 ? 'policy' : 'policies'} cannot be read`;
  return `no HostDeployPolicy opens hosts${where} to the namespace ${namespace}: ask whoever keeps the hosts for one${others}`;
}
