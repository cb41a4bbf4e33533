import { describe, expect, it } from '@jest/globals';
import { approachTo, noted } from '../../../../src/controllers/data-image/approach.js';
import { viewOf } from '../../../../src/controllers/host-view.js';

const host = (change: object = {}) => ({
  ...viewOf({ metadata: { name: 'host' }, status: { provisioning: { state: 'provisioned', ID: 'node-1' } } }),
  ...change,
});

describe('what is done about a data image', () => {
  it.each([
    ['no host', undefined, 'release', 'release'],
    ['a host that is well', host(), 'ask', 'ask'],
    ['a paused host', host({ isPaused: true }), 'rest', 'rest'],
    ['a paused host that is to be detached', host({ isPaused: true, isToBeDetached: true }), 'rest', 'rest'],
    ['a host that is to be detached', host({ isToBeDetached: true }), 'rest', 'release'],
    ['a host that is not registered', host({ provisionerID: '' }), 'rest', 'release'],
  ] as const)('of %s', (_what, given, living, leaving) => {
    expect(approachTo(false, given)).toBe(living);
    expect(approachTo(true, given)).toBe(leaving);
  });

  it('is noted: failures are counted, and forgotten with a success', () => {
    expect(noted(undefined, undefined)).toBeUndefined();
    expect(noted({ count: 0, message: '' }, undefined)).toBeUndefined();
    expect(noted(undefined, 'no')).toEqual({ count: 1, message: 'no' });
    expect(noted({ count: 4, message: 'no' }, 'no')).toEqual({ count: 5, message: 'no' });
    expect(noted({ count: 4, message: 'no' }, undefined)).toEqual({ count: 0, message: '' });
  });
});
