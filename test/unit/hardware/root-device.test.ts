import { describe, expect, it } from '@jest/globals';
import { chooseHardwareProfile, hardwareProfile, ironicRootDevice } from '../../../src/hardware/index.js';

describe('root-device hints', () => {
  it('become operators of Ironic', () => {
    expect(
      ironicRootDevice({
        deviceName: '/dev/sda',
        hctl: '0:0:0:0',
        model: 'm',
        vendor: 'v',
        serialNumber: 's',
        minSizeGigabytes: 40,
        wwn: 'w',
        wwnWithExtension: 'we',
        wwnVendorExtension: 'ext',
        rotational: false,
      }),
    ).toEqual({
      name: 's== /dev/sda',
      hctl: 's== 0:0:0:0',
      model: '<in> m',
      vendor: '<in> v',
      serial: 's== s',
      size: '>= 40',
      wwn: 's== w',
      wwn_with_extension: 's== we',
      wwn_vendor_extension: 's== ext',
      rotational: 'false',
    });
  });

  it('tell a link by path from a name', () => {
    expect(ironicRootDevice({ deviceName: '/dev/disk/by-path/p' })).toEqual({ by_path: 's== /dev/disk/by-path/p' });
  });

  it('that say nothing are left out', () => {
    expect(ironicRootDevice(undefined)).toEqual({});
    expect(ironicRootDevice({ deviceName: '', minSizeGigabytes: 0 })).toEqual({});
  });
});

describe('hardware profiles', () => {
  it('are known by name', () => {
    expect(hardwareProfile('dell-raid')).toEqual({ hctl: '0:2:0:0' });
    expect(hardwareProfile('empty')).toEqual({});
    expect(hardwareProfile('toString')).toBeUndefined();
  });

  it('stay once chosen, then follow the wish, then the BMC', () => {
    expect(chooseHardwareProfile({ chosen: 'dell', wanted: 'libvirt' })).toBe('dell');
    expect(chooseHardwareProfile({ wanted: 'openstack', bmcAddress: 'libvirt://h' })).toBe('openstack');
    expect(chooseHardwareProfile({ chosen: '', wanted: '', bmcAddress: 'libvirt://h' })).toBe('libvirt');
    expect(chooseHardwareProfile({ bmcAddress: 'ipmi://h' })).toBe('unknown');
  });
});
