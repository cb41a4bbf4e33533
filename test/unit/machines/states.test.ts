import { describe, expect, it } from '@jest/globals';
import {
  busyStates,
  detachableStates,
  lifecycleOf,
  lifecycleStates,
  restingValue,
  stateFromWire,
  wireName,
} from '../../../machines/index.js';
import { states as wireStates } from '../../../src/apis/index.js';

describe('the states of the lifecycle', () => {
  it('have each a name on the wire that leads back to them', () => {
    for (const state of lifecycleStates.filter((each) => each !== 'deleted')) {
      expect(stateFromWire(wireName(state))).toBe(state);
    }
  });

  it('cover every name that the wire knows', () => {
    for (const name of Object.values(wireStates)) expect([name, stateFromWire(name)]).not.toEqual([name, undefined]);
    expect(stateFromWire('ready')).toBe('available');
  });

  it.each(['deleted', 'Provisioned', 'provisioned ', 'error', 'constructor', '__proto__'])('are not "%s"', (name) => {
    expect(stateFromWire(name)).toBeUndefined();
  });

  it('keep the back end busy, or may be left by a detachment, by their names on the wire', () => {
    for (const name of [...busyStates, ...detachableStates]) expect(stateFromWire(name)).toBeDefined();
    expect([...busyStates].filter((name) => detachableStates.has(name))).toEqual([]);
  });

  it('are found again in the value in which the chart rests in them', () => {
    for (const state of lifecycleStates) expect(lifecycleOf({ value: restingValue(state, 'ok') })).toBe(state);
  });
});
