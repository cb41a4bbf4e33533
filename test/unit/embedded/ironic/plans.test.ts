import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/embedded/ironic/json.js';
import { createRecord } from '../../../../src/embedded/ironic/node-changes.js';
import type { NodeRecord } from '../../../../src/embedded/ironic/node-record.js';
import { planFor, planNames } from '../../../../src/embedded/ironic/plans.js';
import { resolveSettings } from '../../../../src/embedded/ironic/settings.js';
import { Stamps } from '../../../../src/embedded/ironic/stamps.js';
import { acceptedVerbs, provisionStates } from '../../../../src/embedded/ironic/state-table.js';
import { FakeClock } from '../../../support/fake-clock.js';

const settings = resolveSettings();
const variants = (
  [
    { driver: 'redfish' },
    { driver: 'redfish', inspect_interface: 'redfish', deploy_interface: 'ramdisk', automated_clean: false },
    { driver: 'fake-hardware', deploy_interface: 'fake', inspect_interface: 'fake' },
    { driver: 'ipmi', deploy_interface: 'custom-agent' },
  ] as JsonObject[]
).map((given, index) => createRecord(index, given, `u${index}`, new Stamps(new FakeClock())));

const [redfish] = variants as [NodeRecord];

describe('a plan', () => {
  it.each(planNames)('%s starts locked, can fail somewhere, and waits only without the lock', (name) => {
    for (const node of variants) {
      const { phases, next } = planFor(name, node, settings);
      expect(phases[0]?.locked).toBe(true);
      expect(phases.every((phase) => phase.locked !== / wait$|call-back$/.test(phase.state))).toBe(true);
      const skipsCleaning = phases[0]?.time === 'cleanSkip';
      expect(phases.filter((phase) => phase.mayFail)).toHaveLength(skipsCleaning ? 0 : 1);
      expect(next === undefined || planNames.includes(next)).toBe(true);
    }
  });

  it('exists for every state in which no verb but abort or deletion is taken', () => {
    const passed = new Set(planNames.flatMap((name) => planFor(name, redfish, settings).phases.map((p) => p.state)));
    const transient = provisionStates.filter((state) =>
      acceptedVerbs[state].every((verb) => verb === 'abort' || verb === 'deleted'),
    );
    expect(transient.filter((state) => !passed.has(state))).toEqual([]);
  });

  it('leaves no way into a corner: from each failed state a verb leads out', () => {
    const failed = planNames.map((name) => planFor(name, redfish, settings).failed);
    for (const state of failed) expect(acceptedVerbs[state].length).toBeGreaterThan(0);
  });
});

describe('phase times', () => {
  it('are scaled together and can be set one by one', () => {
    const resolved = resolveSettings({ phaseSeconds: 2, timeScale: 0.5, seconds: { deployWait: 10 } });
    expect([resolved.millis('verify'), resolved.millis('deployWait'), resolved.lockIntervalMs]).toEqual([
      1000, 5000, 500,
    ]);
  });

  it.each([
    ['phases.timeScale', { timeScale: -1 }],
    ['phases.seconds.nap', { seconds: { nap: 1 } as never }],
    ['phases.seconds.verify', { seconds: { verify: Number.NaN } }],
  ])('name %s when that is wrong', (field, options) => {
    expect(() => resolveSettings(options)).toThrow(field);
  });
});
