/** The charts that can be drawn, each with the names that its states have on the wire. */
import { hostMachine } from '../host.machine.js';
import { lifecycleStates, wireName } from '../host.states.js';
import { powerMachine } from '../power.machine.js';
import { type ChartGraph, chartGraph } from './graph.js';

const lifecycle = 'host.lifecycle.';

const wireNames = new Map(
  // A deleted host has no object any more, hence no name on the wire.
  lifecycleStates.filter((state) => state !== 'deleted').map((state) => [`${lifecycle}${state}`, wireName(state)]),
);

export const chartNames = ['host', 'power'] as const;
export type ChartName = (typeof chartNames)[number];

export function namedChart(name: ChartName): ChartGraph {
  if (name === 'power') return chartGraph(powerMachine);
  return chartGraph(hostMachine, (id) => wireNames.get(id) ?? null);
}
