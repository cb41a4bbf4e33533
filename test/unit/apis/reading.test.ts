import { describe, expect, it } from '@jest/globals';
import { bareMetalHostSchema, hardwareDataSchema, kindManifests } from '../../../src/apis/index.js';

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

describe('reading any kind', () => {
  it.each(kindManifests.map(({ kind, schema }) => [kind, schema] as const))(
    '%s takes an object without a spec, and keeps what it does not know',
    (kind, schema) => {
      const bare = { apiVersion: 'metal3.io/v1alpha1', kind, metadata: { name: 'a' } };
      expect(schema.parse(bare)).toMatchObject(bare);
      const known = schema.parse(bare) as { spec: Record<string, unknown> };
      const later = { ...bare, spec: { ...known.spec, later: { x: [1] } }, more: true };
      expect(schema.parse(later)).toEqual(later);
    },
  );

  it('fills in what another version left out, so that nobody has to look for it', () => {
    const read = (kind: string, value: unknown) => kindManifests.find((one) => one.kind === kind)!.schema.parse(value);
    expect(read('HostFirmwareSettings', { status: {} })).toMatchObject({
      spec: { settings: {} },
      status: { settings: {} },
    });
    expect(read('HostFirmwareComponents', {})).toMatchObject({ spec: { updates: [] } });
    expect(read('HostClaim', { spec: { hostSelector: { matchExpressions: [{ key: 'a', operator: '!' }] } } })).toEqual(
      expect.objectContaining({
        spec: {
          poweredOn: false,
          hostSelector: { matchExpressions: [{ key: 'a', operator: '!', values: [] }] },
        },
      }),
    );
    expect(read('DataImage', { status: { error: {} } })).toMatchObject({
      status: { error: { count: 0, message: '' } },
    });
  });

  it('takes firmware settings as numbers and texts', () => {
    const schema = kindManifests.find((one) => one.kind === 'HostFirmwareSettings')!.schema;
    expect(schema.safeParse({ spec: { settings: { A: 1, B: 'x' } } }).success).toBe(true);
    expect(schema.safeParse({ spec: { settings: { A: true } } }).success).toBe(false);
  });
});
