import { describe, expect, it } from '@jest/globals';
import { explainInspectFailure } from '../../../../src/controllers/host/inspect-failure.js';

const byAgent = { inspectionMode: undefined, bootMode: 'UEFI' } as const;
const timeOut = 'timeout reached while inspecting the node';
const refused =
  'Failed to inspect hardware. Reason: unable to start inspection: Redfish exception occurred. Error: Setting boot mode to ' +
  'bios failed for node 1be26c0b. Error: HTTP PATCH https://192.0.2.1/redfish/v1/Systems/1 returned code 500.';

describe('an inspection that took too long', () => {
  it.each([undefined, 'agent'] as const)('(%s) is told with what never happened, and where to look', (mode) => {
    const text = explainInspectFailure(timeOut, { ...byAgent, inspectionMode: mode });
    expect(text.startsWith(`${timeOut} (the agent never called back: `)).toBe(true);
    for (const place of ['DHCP', 'virtual media', 'boot network', "Ironic's API"]) expect(text).toContain(place);
    expect(text).not.toContain('bootMode');
  });

  it('is told as it is where there is no agent to wait for', () => {
    expect(explainInspectFailure(timeOut, { ...byAgent, inspectionMode: 'fast' })).toBe(timeOut);
  });
});

describe('an inspection that could not set the boot mode', () => {
  it.each(['agent', 'fast'] as const)('(%s) is told with the mode that was wanted and the field', (inspectionMode) => {
    const text = explainInspectFailure(refused, { inspectionMode, bootMode: 'legacy' });
    expect(text.startsWith(`${refused} (legacy was wanted: `)).toBe(true);
    expect(text).toContain('try spec.bootMode');
  });

  it('names UEFI where none was chosen', () => {
    const text = explainInspectFailure('BootSourceOverrideMode is read-only', { ...byAgent, bootMode: undefined });
    expect(text).toContain('(UEFI was wanted: ');
  });
});

it.each([
  'Ramdisk reported error: no disks found',
  'HTTPSConnectionPool(host=192.0.2.1): Read timed out.',
  'Timeout waiting for the power state',
])('an inspection that failed otherwise is told as it is: %s', (message) => {
  expect(explainInspectFailure(message, byAgent)).toBe(message);
});
