import { describe, expect, it } from '@jest/globals';
import { maskOfHeaders } from '../../../../src/controllers/event-subscription/headers.js';
import { isPatienceOver, patienceMs, removalOf } from '../../../../src/controllers/event-subscription/removal.js';
import { viewOf } from '../../../../src/controllers/host-view.js';

const host = (state: string, ID: string, operationalStatus = 'OK', annotations: Record<string, string> = {}) =>
  viewOf({ metadata: { name: 'host', annotations }, status: { operationalStatus, provisioning: { state, ID } } });

describe('a subscription that is deleted', () => {
  it('may go when there is nothing to unsubscribe from', () => {
    expect(removalOf('', host('available', 'node'))).toBe('go');
    expect(removalOf('s', undefined)).toBe('go');
  });

  it('is unsubscribed from as long as there is a node, whatever else is the matter', () => {
    expect(removalOf('s', host('available', 'node'))).toBe('ask');
    expect(removalOf('s', host('provisioned', 'node', 'error'))).toBe('ask');
    expect(removalOf('s', host('provisioned', 'node', 'OK', { 'baremetalhost.metal3.io/detached': '' }))).toBe('ask');
  });

  it('waits for a host on its way to be registered, and gives up one that has left', () => {
    expect(removalOf('s', host('registering', ''))).toBe('rest');
    expect(removalOf('s', host('', ''))).toBe('rest');
    expect(removalOf('s', host('unmanaged', ''))).toBe('abandon');
    expect(removalOf('s', host('provisioned', '', 'detached'))).toBe('abandon');
  });

  it('waits for ten minutes, and no longer', () => {
    const since = '2026-01-01T00:00:00Z';
    expect(isPatienceOver(since, Date.parse(since) + patienceMs - 1)).toBe(false);
    expect(isPatienceOver(since, Date.parse(since) + patienceMs)).toBe(true);
    expect(isPatienceOver(undefined, Date.parse(since))).toBe(false);
  });
});

it('the values of headers are taken out of what others say', () => {
  const mask = maskOfHeaders([{ Authorization: 'Bearer abcdefgh12' }, { 'X-Key': 'sesame77' }]);
  expect(mask('refused: Bearer abcdefgh12')).toBe('refused: ***');
  expect(mask('token abcdefgh12, key sesame77, header X-Key')).toBe('token ***, key ***, header X-Key');
});
