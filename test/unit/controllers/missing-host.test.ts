import { describe, expect, it } from '@jest/globals';
import { withHost, withoutHost, wordOnMissingHost } from '../../../src/controllers/missing-host.js';

const born = '2026-01-01T00:00:00Z';
const at = (seconds: number) => Date.parse(born) + seconds * 1_000;
const owner = (kind: string) => ({ apiVersion: 'metal3.io/v1alpha1', kind, name: 'host', uid: 'gone' });
const object = (metadata: object = {}) => ({ metadata: { name: 'host', creationTimestamp: born, ...metadata } });

describe('an object whose host is missing', () => {
  it.each<[string, number, object, object]>([
    ['waits at first', 0, {}, { kind: 'wait', ms: 10_000 }],
    ['waits for the rest of the time', 8, {}, { kind: 'wait', ms: 2_000 }],
    ['waits no longer where another clock is ahead', -60, {}, { kind: 'wait', ms: 10_000 }],
    ['tells it then', 10, {}, { kind: 'tell' }],
    ['tells it though others own it', 10, { ownerReferences: [owner('Machine')] }, { kind: 'tell' }],
    ['is silent where it goes with its host', 10, { ownerReferences: [owner('BareMetalHost')] }, { kind: 'silent' }],
    ['is silent where it is going anyway', 10, { deletionTimestamp: born }, { kind: 'silent' }],
  ])('%s', (_what, seconds, metadata, word) => expect(wordOnMissingHost(object(metadata), at(seconds))).toEqual(word));

  it('takes back what was said once the host is there, and nothing else', () => {
    const told = withoutHost(undefined, 1, born);
    expect(withHost(told, 1, born)).toMatchObject([
      { type: 'ChangeDetected', status: 'Unknown', reason: 'ReadFailed' },
    ]);
    expect(withHost([{ ...told[0]!, reason: 'Success' }], 1, born)).toBeUndefined();
    expect(withHost(undefined, 1, born)).toBeUndefined();
  });
});
