import { describe, expect, it } from '@jest/globals';
import { powerMachine, servicingMachine } from '../../../machines/index.js';
import { refuseChartGaps } from '../../../src/cli/chart-gaps.js';
import { providedServicingMachine } from '../../../src/controllers/host/index.js';

describe('the charts of an operator', () => {
  it('lack nothing', () => {
    expect(() => refuseChartGaps()).not.toThrow();
  });

  it('are refused with the name of each gap and of its chart', () => {
    const servicing = { provided: providedServicingMachine, bare: servicingMachine };
    const power = { provided: powerMachine, bare: powerMachine };
    expect(() => refuseChartGaps({ servicing, power })).toThrow(/not implemented: .*actor powerOff \(power\)/);
    expect(() => refuseChartGaps({ servicing, power })).not.toThrow(/servicing/);
  });
});
