import { describe, expect, it } from '@jest/globals';
import { bareMetalHostSchema, hardwareDataSchema } from '../../../src/apis/index.js';

describe('reading a host', () => {
  it('keeps unknown fields at every depth', () => {
    const host = {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: { name: 'h', managedFields: [{ manager: 'm' }] },
      spec: { online: true, later: { x: 1 }, bmc: { address: 'ipmi://h', credentialsName: 's', more: 'y' } },
    };
    expect(bareMetalHostSchema.parse(host)).toEqual(host);
  });

  it('takes values of an enumeration that this version does not know', () => {
    const host = bareMetalHostSchema.parse({
      metadata: { name: 'h' },
      spec: { online: true, bootMode: 'Quantum', image: { url: 'u', format: 'ova' } },
      status: { operationalStatus: 'dreaming', errorType: 'detach error', provisioning: { ID: '', state: 'x' } },
    });
    expect(host.spec.bootMode).toBe('Quantum');
    expect(host.status?.operationalStatus).toBe('dreaming');
  });

  it('reads a host without spec, and a status that lacks required fields', () => {
    const host = bareMetalHostSchema.parse({ metadata: { name: 'h' }, status: { provisioning: {} } });
    expect(host.spec.online).toBe(false);
    expect(host.status).toEqual({
      errorCount: 0,
      errorMessage: '',
      operationalStatus: '',
      poweredOn: false,
      provisioning: { ID: '', state: '' },
      provisioningFailCount: 0,
    });
    expect(bareMetalHostSchema.parse({ metadata: { name: 'h' } }).status).toBeUndefined();
  });

  it('keeps null and [] of RAID volumes apart', () => {
    const raid = { hardwareRAIDVolumes: null, softwareRAIDVolumes: [] };
    expect(bareMetalHostSchema.parse({ spec: { online: true, raid } }).spec.raid).toEqual(raid);
  });

  it('reads null times in the operation history', () => {
    const operationHistory = { register: { start: '2024-01-01T00:00:00Z', end: null } };
    expect(bareMetalHostSchema.parse({ status: { operationHistory } }).status?.operationHistory).toEqual(
      operationHistory,
    );
  });

  it('drops a lifecycle that makes no sense instead of the host', () => {
    expect(bareMetalHostSchema.parse({ status: { lifecycle: 'torn' } }).status).not.toHaveProperty('lifecycle', 'torn');
    const lifecycle = { chart: 'host/1', state: 'available', snapshot: { value: { a: 'b' }, context: {} } };
    expect(bareMetalHostSchema.parse({ status: { lifecycle } }).status?.lifecycle).toEqual(lifecycle);
  });

  it('is strict about JSON types', () => {
    expect(bareMetalHostSchema.safeParse({ spec: { online: 'yes' } }).success).toBe(false);
    expect(bareMetalHostSchema.safeParse({ status: { errorCount: '1' } }).success).toBe(false);
    expect(bareMetalHostSchema.safeParse('host').success).toBe(false);
  });

  it('reads HardwareData with and without details', () => {
    expect(hardwareDataSchema.parse({ metadata: { name: 'h' } }).spec).toEqual({});
    const hardware = { nics: [{ mac: 'aa:bb:cc:dd:ee:ff', vlanId: 4, new: true }], ramMebibytes: 4096 };
    expect(hardwareDataSchema.parse({ spec: { hardware } }).spec.hardware).toEqual(hardware);
  });
});
