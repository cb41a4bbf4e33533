import { describe, expect, it } from '@jest/globals';
import * as apis from '../../../src/apis/index.js';

function host(spec: object = {}, status?: object, annotations: Record<string, string> = {}): apis.BareMetalHost {
  return apis.bareMetalHostSchema.parse({ metadata: { name: 'h', namespace: 'ns', annotations }, spec, status });
}
const withImage = { provisioning: { ID: 'u', state: 'provisioned', image: { url: 'http://i' } } };
const emptyImage = { provisioning: { ID: 'u', state: 'available', image: { url: '' } } };
const withDeploy = {
  provisioning: { ID: 'u', state: 'provisioned', image: { url: '' }, customDeploy: { method: 'm' } },
};

describe('host predicates', () => {
  it('take UEFI where no known boot mode is given', () => {
    expect(apis.bootMode(host())).toBe('UEFI');
    expect(apis.bootMode(host({ bootMode: 'legacy' }))).toBe('legacy');
    expect(apis.bootMode(host({ bootMode: 'UEFISecureBoot' }))).toBe('UEFISecureBoot');
    expect(apis.bootMode(host({ bootMode: 'odd' }))).toBe('UEFI');
  });

  it('see BMC details when either field is set', () => {
    expect(apis.hasBMCDetails(host())).toBe(false);
    expect(apis.hasBMCDetails(host({ bmc: { address: '', credentialsName: '' } }))).toBe(false);
    expect(apis.hasBMCDetails(host({ bmc: { address: 'a', credentialsName: '' } }))).toBe(true);
    expect(apis.hasBMCDetails(host({ bmc: { address: '', credentialsName: 's' } }))).toBe(true);
  });

  it('find inspection disabled by mode or by annotation', () => {
    expect(apis.inspectionDisabled(host({ inspectionMode: 'disabled' }))).toBe(true);
    expect(apis.inspectionDisabled(host({}, undefined, { 'inspect.metal3.io': 'disabled' }))).toBe(true);
    expect(apis.inspectionDisabled(host({}, undefined, { 'inspect.metal3.io': '' }))).toBe(false);
    expect(apis.inspectionDisabled(host({ inspectionMode: 'fast' }))).toBe(false);
  });

  it('call a host provisioned by an image or a custom deploy, never an external one', () => {
    expect(apis.wasProvisioned(host())).toBe(false);
    expect(apis.wasProvisioned(host({}, emptyImage))).toBe(false);
    expect(apis.wasProvisioned(host({}, withImage))).toBe(true);
    expect(apis.wasProvisioned(host({}, withDeploy))).toBe(true);
    expect(apis.wasProvisioned(host({ externallyProvisioned: true }, withImage))).toBe(false);
  });

  it('ask for inspection once, and only where it may happen', () => {
    expect(apis.needsHardwareInspection(host())).toBe(true);
    expect(apis.needsHardwareInspection(host({}, { hardware: {} }))).toBe(false);
    expect(apis.needsHardwareInspection(host({ externallyProvisioned: true }))).toBe(false);
    expect(apis.needsHardwareInspection(host({ inspectionMode: 'disabled' }))).toBe(false);
    expect(apis.needsHardwareInspection(host({}, withImage))).toBe(false);
  });

  it('ask for provisioning for a first image or a new method, on an online host only', () => {
    const image = { url: 'http://i' };
    expect(apis.needsProvisioning(host({ online: true, image }, emptyImage))).toBe(true);
    expect(apis.needsProvisioning(host({ online: true, image }))).toBe(true);
    expect(apis.needsProvisioning(host({ online: false, image }, emptyImage))).toBe(false);
    expect(apis.needsProvisioning(host({ online: true, image: { url: 'http://other' } }, withImage))).toBe(false);
    expect(apis.needsProvisioning(host({ online: true, image: { url: '' } }, emptyImage))).toBe(false);
    expect(apis.needsProvisioning(host({ online: true, customDeploy: { method: 'm' } }, withDeploy))).toBe(false);
    expect(apis.needsProvisioning(host({ online: true, customDeploy: { method: 'n' } }, withDeploy))).toBe(true);
    expect(apis.needsProvisioning(host({ online: true }, emptyImage))).toBe(false);
  });

  it('match credentials by name, namespace and version together', () => {
    const recorded = { credentials: { name: 's', namespace: 'ns' }, credentialsVersion: '7' };
    const secret = { name: 's', namespace: 'ns', resourceVersion: '7' };
    expect(apis.credentialsMatch(recorded, secret)).toBe(true);
    for (const change of [{ name: 't' }, { namespace: 'other' }, { resourceVersion: '8' }]) {
      expect(apis.credentialsMatch(recorded, { ...secret, ...change })).toBe(false);
    }
    expect(apis.credentialsMatch(undefined, secret)).toBe(false);
    expect(apis.credentialsMatch({}, secret)).toBe(false);
    expect(apis.credentialsKey(host({ bmc: { address: 'a', credentialsName: 's' } }))).toEqual({
      namespace: 'ns',
      name: 's',
    });
  });

  it('count root volumes among software volumes', () => {
    expect(apis.rootVolumeCount(undefined)).toBe(0);
    expect(apis.rootVolumeCount({ softwareRAIDVolumes: null })).toBe(0);
    expect(
      apis.rootVolumeCount({
        softwareRAIDVolumes: [
          { level: '1', rootVolume: true },
          { level: '0', rootVolume: true },
        ],
      }),
    ).toBe(2);
  });

  it('name an interface by MAC address before its name', () => {
    expect(apis.networkInterfaceKey({ macAddress: 'm', name: 'n' })).toBe('m');
    expect(apis.networkInterfaceKey({ name: 'n' })).toBe('n');
    expect(apis.isValidNetworkInterface({})).toBe(false);
    expect(apis.isValidNetworkInterface({ name: 'n' })).toBe(true);
  });

  it('measure an operation that began and ended', () => {
    const start = '2024-01-01T00:00:00Z';
    expect(apis.operationDuration({ start, end: '2024-01-01T00:01:30Z' })).toBe(90_000);
    expect(apis.operationDuration({ start, end: null })).toBe(0);
    expect(apis.operationDuration({ start: null, end: start })).toBe(0);
    expect(apis.operationDuration(undefined)).toBe(0);
    expect(apis.operationDuration({ start: 'rubbish', end: start })).toBe(0);
  });

  it('know every lifecycle state and no other', () => {
    expect(apis.isProvisioningState('')).toBe(true);
    expect(apis.isProvisioningState('externally provisioned')).toBe(true);
    expect(apis.isProvisioningState('Provisioned')).toBe(false);
  });
});

describe('image rules', () => {
  const url = 'http://i';
  it('tell OCI and live ISO images', () => {
    expect(apis.isOCI({ url: 'OCI://registry/x' })).toBe(true);
    expect(apis.isOCI({ url })).toBe(false);
    expect(apis.isOCI(undefined)).toBe(false);
    expect(apis.isLiveISO({ format: 'live-iso' })).toBe(true);
    expect(apis.isLiveISO({})).toBe(false);
  });

  it.each([
    ['no image', undefined, { kind: 'invalid' }],
    ['OCI with a checksum', { url: 'oci://r/i', checksum: 'c' }, { kind: 'invalid' }],
    ['OCI', { url: 'oci://r/i' }, { kind: 'none' }],
    ['live ISO, whose checksum is ignored', { url, format: 'live-iso', checksum: 'c' }, { kind: 'none' }],
    [
      'no checksum',
      { url },
      {
        kind: 'invalid',
        problem: 'checksum is required for normal images: give the digest of the image, or the URL of a file with it',
      },
    ],
    [
      'a typed checksum',
      { url, checksum: 'c', checksumType: 'sha512' },
      { kind: 'checksum', checksum: 'c', type: 'sha512' },
    ],
    ['auto', { url, checksum: 'c', checksumType: 'auto' }, { kind: 'checksum', checksum: 'c', type: '' }],
    ['no type', { url, checksum: 'c' }, { kind: 'checksum', checksum: 'c', type: '' }],
    ['an odd type', { url, checksum: 'c', checksumType: 'crc' }, { kind: 'invalid' }],
  ])('judge the digest of %s', (_, image, expected) => {
    expect(apis.imageChecksum(image)).toMatchObject(expected);
  });

  it('name the types that are supported', () => {
    const verdict = apis.imageChecksum({ url, checksum: 'c', checksumType: 'crc' });
    expect(verdict).toMatchObject({ problem: expect.stringContaining('crc') });
    expect(verdict).toMatchObject({ problem: expect.stringContaining('auto, md5, sha256, sha512') });
  });
});
