/** The charts that can be drawn, each with the names that its states have on the wire. */
import { dataImageMachine } from '../data-image.machine.js';
import { hostClaimMachine } from '../host-claim.machine.js';
import { hostMachine } from '../host.machine.js';
import { lifecycleStates, wireName } from '../host.states.js';
import { powerMachine } from '../power.machine.js';
import { preprovisioningMachine } from '../preprovisioning.machine.js';
import { servicingMachine } from '../servicing.machine.js';
import { type ChartGraph, chartGraph } from './graph.js';

const lifecycle = 'host.lifecycle.';

const wireNames = new Map(
  // A deleted host has no object any more, hence no name on the wire.
  lifecycleStates.filter((state) => state !== 'deleted').map((state) => [`${lifecycle}${state}`, wireName(state)]),
);

const procedures = {
  power: powerMachine,
  servicing: servicingMachine,
  'data-image': dataImageMachine,
  'agent-image': preprovisioningMachine,
  'host-claim': hostClaimMachine,
} as const;

export const chartNames = ['host', 'power', 'servicing', 'data-image', 'agent-image', 'host-claim'] as const;
export type ChartName = (typeof chartNames)[number];

export function namedChart(name: ChartName): ChartGraph {
  if (name === 'host') return chartGraph(hostMachine, (id) => wireNames.get(id) ?? null);
  return chartGraph(procedures[name]);
}
