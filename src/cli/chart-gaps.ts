/** Every chart with what it does, as this operator runs them; one that names what is not there is refused at the start. */
import type { AnyStateMachine } from 'xstate';
import type { ChartName } from '../../machines/drawing/index.js';
import {
  dataImageMachine,
  hostClaimMachine,
  hostMachine,
  implementationGaps,
  powerMachine,
  preprovisioningMachine,
  servicingMachine,
} from '../../machines/index.js';
import {
  providedDataImageMachine,
  providedHostMachine,
  providedPowerMachine,
  providedPreprovisioningMachine,
  providedServicingMachine,
} from '../controllers/host/index.js';
import { providedHostClaimMachine } from '../controllers/host-claim/index.js';
import { IronchartError } from '../errors.js';

export interface ProvidedChart {
  readonly provided: AnyStateMachine;
  /** With its placeholders alone. */
  readonly bare: AnyStateMachine;
}

/** The compiler holds that each chart that can be drawn is here. */
const charts: Readonly<Record<ChartName, ProvidedChart>> = {
  host: { provided: providedHostMachine, bare: hostMachine },
  power: { provided: providedPowerMachine, bare: powerMachine },
  servicing: { provided: providedServicingMachine, bare: servicingMachine },
  'data-image': { provided: providedDataImageMachine, bare: dataImageMachine },
  'agent-image': { provided: providedPreprovisioningMachine, bare: preprovisioningMachine },
  'host-claim': { provided: providedHostClaimMachine, bare: hostClaimMachine },
};

/** @throws IronchartError CHART_INCOMPLETE, with every name that lacks a meaning */
export function refuseChartGaps(all: Readonly<Record<string, ProvidedChart>> = charts): void {
  const gaps = Object.entries(all).flatMap(([chart, { provided, bare }]) =>
    implementationGaps(provided, bare).map(({ kind, name }) => `${kind} ${name} (${chart})`),
  );
  if (gaps.length === 0) return;
  throw new IronchartError('CHART_INCOMPLETE', `charts name what is not implemented: ${gaps.join(', ')}`, {
    retry: 'never',
  });
}
