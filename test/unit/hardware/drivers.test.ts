import { describe, expect, it } from '@jest/globals';
import { accessDetails, defaultDrivers, DriverRegistry } from '../../../src/hardware/index.js';

const login = { username: 'admin', password: 'pw' };

describe('drivers', () => {
  it('serve exactly the schemes that exist', () => {
    const both = [
      'redfish',
      'ilo5-redfish',
      'idrac-redfish',
      'redfish-virtualmedia',
      'ilo5-virtualmedia',
      'idrac-virtualmedia',
      'redfish-uefihttp',
    ];
    expect(defaultDrivers().types().sort()).toEqual(
      ['ipmi', 'libvirt', ...both.flatMap((name) => [name, `${name}+http`, `${name}+https`])].sort(),
    );
  });

  it.each([
    ['ipmi', 'ipmi', 'ipxe', 'no-raid', undefined, false, false, true, false],
    ['libvirt', 'ipmi', 'ipxe', 'no-raid', undefined, true, false, true, false],
    ['redfish', 'redfish', 'ipxe', 'redfish', 'redfish', false, false, true, true],
    ['ilo5-redfish+http', 'redfish', 'ipxe', 'redfish', 'redfish', false, false, true, true],
    ['idrac-redfish', 'idrac', 'ipxe', 'idrac-redfish', 'redfish', false, false, true, true],
    ['redfish-virtualmedia', 'redfish', 'redfish-virtual-media', 'redfish', 'redfish', false, true, false, true],
    ['ilo5-virtualmedia', 'redfish', 'redfish-virtual-media', 'redfish', 'redfish', false, true, false, true],
    [
      'idrac-virtualmedia',
      'idrac',
      'idrac-redfish-virtual-media',
      'idrac-redfish',
      'redfish',
      false,
      true,
      false,
      true,
    ],
    ['redfish-uefihttp+https', 'redfish', 'redfish-https', 'redfish', 'redfish', false, true, false, true],
  ])(
    '%s: driver %s, boot %s, raid %s, fast inspection %s',
    (type, driver, boot, raid, inspect, mac, iso, net, secure) => {
      const details = accessDetails(`${type}://h`);
      expect(details).toMatchObject({
        driver,
        needsMAC: mac,
        supportsISOPreprovisioningImage: iso,
        requiresProvisioningNetwork: net,
        supportsSecureBoot: secure,
      });
      expect(details.interfaces).toMatchObject({ boot, raid });
      expect(details.interfaces.inspect).toBe(inspect);
    },
  );

  it('give iDRAC its own interfaces', () => {
    expect(accessDetails('idrac-redfish://h').interfaces).toEqual({
      bios: 'idrac-redfish',
      boot: 'ipxe',
      firmware: 'redfish',
      inspect: 'redfish',
      management: 'idrac-redfish',
      power: 'idrac-redfish',
      raid: 'idrac-redfish',
      vendor: 'idrac-redfish',
    });
  });

  it('can be extended', () => {
    const entry = { ...defaultDrivers().get('ipmi')!, driver: 'mine' };
    const drivers = new DriverRegistry().register('mine', entry, ['+x']);
    expect(accessDetails('mine+x://h', { drivers }).driver).toBe('mine');
    expect(() => accessDetails('ipmi://h', { drivers })).toThrow('unknown BMC type');
  });
});

describe('driver_info', () => {
  it.each([
    ['192.168.122.1', { ipmi_address: '192.168.122.1', ipmi_port: '623' }],
    ['[fe80::1]:6233', { ipmi_address: 'fe80::1', ipmi_port: '6233' }],
    ['ipmi://h?privilegelevel=OPERATOR', { ipmi_address: 'h', ipmi_port: '623', ipmi_priv_level: 'OPERATOR' }],
    ['ipmi://h?privilegelevel=a;b', { ipmi_address: 'h', ipmi_port: '623' }],
    ['ipmi://h?privilegelevel=%zz', { ipmi_address: 'h', ipmi_port: '623' }],
  ])('of %s is IPMI', (address, expected) => {
    expect(accessDetails(address).driverInfo(login)).toEqual({
      ipmi_username: 'admin',
      ipmi_password: 'pw',
      ipmi_priv_level: 'ADMINISTRATOR',
      ...expected,
    });
  });

  it.each([
    ['redfish://192.168.122.1/redfish/v1/Systems/1', 'https://192.168.122.1', '/redfish/v1/Systems/1'],
    ['redfish://192.168.122.1', 'https://192.168.122.1', undefined],
    ['redfish://192.168.122.1/', 'https://192.168.122.1', undefined],
    ['redfish://192.168.122.1/redfish/v1/', 'https://192.168.122.1', undefined],
    ['redfish://[fe80::1]:8080/foo', 'https://[fe80::1]:8080', '/foo'],
    ['redfish-virtualmedia+http://10.0.0.5:8000/redfish/v1/Systems/1', 'http://10.0.0.5:8000', '/redfish/v1/Systems/1'],
    ['redfish-uefihttp+https://h', 'https://h', ''],
    ['redfish-uefihttp://h/', 'https://h', '/'],
  ])('of %s has address %s and system %s', (address, redfishAddress, system) => {
    expect(accessDetails(address).driverInfo(login)).toEqual({
      redfish_username: 'admin',
      redfish_password: 'pw',
      redfish_address: redfishAddress,
      ...(system !== undefined && { redfish_system_id: system }),
    });
  });

  it('says that certificates are not verified, and never that they are', () => {
    const unverified = { disableCertificateVerification: true };
    expect(accessDetails('redfish://h', unverified).driverInfo(login)).toHaveProperty('redfish_verify_ca', false);
    expect(accessDetails('ipmi://h', unverified).driverInfo(login)).toHaveProperty('ipmi_verify_ca', false);
    expect(accessDetails('redfish://h').driverInfo(login)).not.toHaveProperty('redfish_verify_ca');
  });
});
