/** Hosts at rest whose node says that they cannot be what they are said to be, as after a status was edited or Ironic was. */
import type { IronicNode } from './node.js';
import { waysOut } from './state-table.js';

const rescued = ['rescue', 'rescuing', 'rescue wait', 'rescue failed', 'unrescuing', 'unrescue failed'];
/** Something is deployed on the node, whatever is done to it beside. */
const deployed: ReadonlySet<string> = new Set([
  ...['active', 'adopting', 'servicing', 'service wait', 'service failed', 'service hold'],
  ...rescued,
]);
const empty: ReadonlySet<string> = new Set(['available', 'manageable']);

type Telling = (node: IronicNode) => string | undefined;

/** A machine is switched on and off at rest whatever its node is. */
const noRemedy = 'nothing is done about that, though power commands still go to it';

/** `fields` of the spec: each of them can keep the host from being deprovisioned. */
const inUse =
  (fields: string): Telling =>
  ({ uuid, provisionState }) => {
    if (deployed.has(provisionState)) return undefined;
    return (
      `the status of this host says that it is in use, but its Ironic node ${uuid} is ${JSON.stringify(provisionState)}, not "active"; ` +
      `${noRemedy}. If what ran there runs still, bring the node to "manageable" in Ironic: it is adopted from there; to give that up, ` +
      `take ${fields} away: the host is deprovisioned, and can be given an image when it is available`
    );
  };

const free: Telling = ({ uuid, provisionState }) => {
  if (empty.has(provisionState)) return undefined;
  const what = `the status of this host says that it is available, but its Ironic node ${uuid} is ${JSON.stringify(provisionState)}`;
  return deployed.has(provisionState)
    ? `${what}: something is deployed on it; ${noRemedy}. ${waysOut}`
    : `${what}; ${noRemedy}. Bring the node to "manageable" in Ironic`;
};

const tellings: Readonly<Record<string, Telling>> = {
  available: free,
  ready: free,
  provisioned: inUse('spec.image and spec.customDeploy'),
  'externally provisioned': inUse('spec.externallyProvisioned, spec.image and spec.customDeploy'),
};

/** In words for the person who looks at the host; undefined: the node is at what the state lets expect, or at nothing yet. */
export function contradictionOf(node: IronicNode, state: string): string | undefined {
  return tellings[state]?.(node);
}
