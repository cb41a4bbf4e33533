import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chooseAgentImage } from '../../../src/provisioner/ironic/agent-image.js';
import { mergedCapabilities } from '../../../src/provisioner/ironic/capabilities.js';
import { faultText, secretsOf } from '../../../src/provisioner/ironic/client/fault-text.js';
import { derivedUUID, hostKeyOf, nodeName } from '../../../src/provisioner/ironic/identity.js';
import { toHardwareDetails } from '../../../src/provisioner/ironic/inventory.js';
import { NodePatch } from '../../../src/provisioner/ironic/patch.js';
import { deployedImage } from '../../../src/provisioner/ironic/instance-settings.js';
import { isSameImage } from '../../../src/provisioner/ironic/same-image.js';

describe('node identity', () => {
  it('is a version 5 UUID of the uid, always the same', () => {
    const uuid = derivedUUID('0b6e1f3c-5a77-4c1e-9d0a-6f2b8c4d9e10');
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    // Fixed for ever: hosts in the field find their nodes by it.
    expect(uuid).toBe('cc541d25-8090-5986-9358-b755e45ed5c8');
    expect(derivedUUID('other')).not.toBe(uuid);
    expect(derivedUUID('')).toBeUndefined();
  });

  it('maps names to hosts and back', () => {
    expect(nodeName({ namespace: 'ns', name: 'h' })).toBe('ns~h');
    expect(hostKeyOf('ns~h')).toBe('ns/h');
    for (const foreign of ['h', '~h', 'ns~', 'a~b~c', '']) expect(hostKeyOf(foreign)).toBeUndefined();
  });
});

describe('a node patch', () => {
  it('holds only what differs, in order', () => {
    const current = { same: { a: [1, { b: null }] }, number: 42, flag: false, gone: null };
    const patch = new NodePatch().section('properties', current, {
      same: { a: [1, { b: null }] },
      number: '42',
      flag: 0,
      gone: undefined,
      never: undefined,
      empty: '',
      'a/b~c': 1,
    });
    expect(patch.operations).toEqual([
      { op: 'add', path: '/properties/number', value: '42' },
      { op: 'add', path: '/properties/flag', value: 0 },
      { op: 'remove', path: '/properties/gone' },
      { op: 'add', path: '/properties/empty', value: '' },
      { op: 'add', path: '/properties/a~1b~0c', value: 1 },
    ]);
    expect(new NodePatch().field('name', 'n', 'n').isEmpty).toBe(true);
    expect(new NodePatch().field('automated_clean', undefined, false).operations).toHaveLength(1);
  });

  it('once applied leaves nothing to do', () => {
    const section = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(section, section, (current, wishes) => {
        const applied: Record<string, unknown> = { ...current };
        for (const { op, path, value } of new NodePatch().section('s', current, wishes).operations) {
          const key = path.slice('/s/'.length);
          if (op === 'remove') delete applied[key];
          else Object.defineProperty(applied, key, { value, enumerable: true, configurable: true, writable: true });
        }
        expect(new NodePatch().section('s', applied, wishes).isEmpty).toBe(true);
      }),
    );
  });
});

describe('capabilities', () => {
  it.each([
    [undefined, 'UEFI', 'boot_mode:uefi'],
    ['', 'legacy', 'boot_mode:bios'],
    [42, 'UEFI', 'boot_mode:uefi'],
    ['a:b,boot_mode:bios,secure_boot:true', 'UEFI', 'a:b,boot_mode:uefi'],
    ['boot_mode:uefi', 'UEFISecureBoot', 'boot_mode:uefi,secure_boot:true'],
    ['', undefined, ''],
  ] as const)('%j with boot mode %s become %j', (existing, mode, merged) => {
    expect(mergedCapabilities(existing, mode)).toBe(merged);
  });
});

describe('the agent image', () => {
  const config = {
    deployKernelURL: 'http://k',
    deployRamdiskURL: 'http://r',
    deployISOURL: 'http://i',
    imageBuilder: false,
  };
  const builder = { ...config, imageBuilder: true };
  const iso = { format: 'iso', imageURL: 'http://built', kernelURL: '', extraKernelParams: '' } as const;
  const initrd = { format: 'initrd', imageURL: 'http://built', kernelURL: 'http://bk', extraKernelParams: '' } as const;
  const ramdisk = { deploy_kernel: 'http://k', deploy_ramdisk: 'http://r' };

  it.each([
    ['virtual media', config, true, undefined, { deploy_iso: 'http://i' }],
    ['virtual media without a configured ISO', { ...config, deployISOURL: '' }, true, undefined, ramdisk],
    ['network boot', config, false, undefined, ramdisk],
    [
      'network boot with an ISO only',
      { ...config, deployKernelURL: '', deployRamdiskURL: '' },
      false,
      undefined,
      undefined,
    ],
    ['virtual media, not built yet', builder, true, undefined, undefined],
    ['a built ISO', builder, true, iso, { deploy_iso: 'http://built' }],
    ['a built ISO for network boot', builder, false, iso, undefined],
    ['a built ramdisk', builder, false, initrd, { deploy_kernel: 'http://bk', deploy_ramdisk: 'http://built' }],
    [
      'a built ramdisk without kernel',
      builder,
      false,
      { ...initrd, kernelURL: '' },
      { deploy_kernel: 'http://k', deploy_ramdisk: 'http://built' },
    ],
    [
      'a built ramdisk without any kernel',
      { ...builder, deployKernelURL: '' },
      false,
      { ...initrd, kernelURL: '' },
      undefined,
    ],
    [
      'a built ramdisk with parameters',
      builder,
      false,
      { ...initrd, extraKernelParams: 'cat meow' },
      { deploy_kernel: 'http://bk', deploy_ramdisk: 'http://built', kernel_append_params: '%default% cat meow' },
    ],
  ])('for %s', (_, settings, supportsISO, built, expected) => {
    expect(chooseAgentImage({ config: settings, supportsISO, built })).toEqual(expected);
  });
});

describe('the same image', () => {
  const url = 'http://i';
  it.each([
    [{ boot_iso: url }, { url, format: 'live-iso' }, true],
    [{ boot_iso: 'x' }, { url, format: 'live-iso' }, false],
    [{ image_source: 'oci://r' }, { url: 'oci://r' }, true],
    [{ image_source: url, image_checksum: 'c' }, { url, checksum: 'c' }, true],
    [
      { image_source: url, image_checksum: 'c', image_os_hash_algo: null },
      { url, checksum: 'c', checksumType: 'auto' },
      true,
    ],
    // Ironic has told the algorithm by itself.
    [{ image_source: url, image_checksum: 'c', image_os_hash_algo: 'md5' }, { url, checksum: 'c' }, true],
    [
      { image_source: url, image_os_hash_algo: 'md5', image_os_hash_value: 'c', image_checksum: '' },
      { url, checksum: 'c' },
      false,
    ],
    [{ image_source: 'oci://r', image_checksum: 'c' }, { url: 'oci://r' }, true],
    [
      { image_source: url, image_os_hash_algo: 'md5', image_os_hash_value: 'c' },
      { url, checksum: 'c', checksumType: 'md5' },
      true,
    ],
    [
      { image_source: url, image_os_hash_algo: 'md5', image_os_hash_value: 'd' },
      { url, checksum: 'c', checksumType: 'md5' },
      false,
    ],
    [{ image_source: 'x', image_checksum: 'c' }, { url, checksum: 'c' }, false],
  ])('in %j for %j: %s', (instanceInfo, image, same) => {
    expect(isSameImage({ instanceInfo, deployInterface: 'direct' }, { image, customDeploy: undefined })).toBe(same);
  });

  const untyped = { url, checksum: 'c' };
  it.each([
    [{}, undefined, 'custom-agent', true],
    [{ image_source: null, boot_iso: null }, { url: '' }, 'custom-agent', true],
    [{}, undefined, 'direct', false],
    [{ image_source: url }, undefined, 'custom-agent', false],
    [{ image_source: url, image_os_hash_algo: '', image_os_hash_value: 'c' }, untyped, 'custom-agent', true],
    [{ image_source: url, image_os_hash_algo: 'md5', image_os_hash_value: 'c' }, untyped, 'custom-agent', true],
    [{ image_source: url, image_os_hash_algo: '', image_os_hash_value: 'd' }, untyped, 'custom-agent', false],
    [{ image_source: url, image_os_hash_algo: '', image_os_hash_value: 'c' }, untyped, 'direct', false],
    [{}, untyped, 'custom-agent', false],
  ])('for a custom deploy, in %j for %j by %s: %s', (instanceInfo, image, deployInterface, same) => {
    expect(isSameImage({ instanceInfo, deployInterface }, { image, customDeploy: { method: 'm' } })).toBe(same);
  });

  it('is another one once the custom deploy is no longer wished for', () => {
    const instanceInfo = { image_source: url, image_checksum: 'c' };
    const wish = { image: untyped, customDeploy: undefined };
    expect(isSameImage({ instanceInfo, deployInterface: 'custom-agent' }, wish)).toBe(false);
  });
});

describe('the image that a node was told', () => {
  it.each([
    [{ image_source: 'http://a', boot_iso: null }, 'http://a'],
    [{ boot_iso: 'http://a.iso' }, 'http://a.iso'],
    [{}, ''],
  ])('is, by %j: %j', (instanceInfo, url) => expect(deployedImage({ instanceInfo })).toBe(url));
});

describe('an inventory', () => {
  const nic = {
    name: 'eth46',
    mac_address: 'm',
    ipv4_address: '192.0.2.2',
    ipv6_address: '2001:db8::2',
    speed_mbps: 25_000,
    vendor: '0x8086',
    product: '0x1',
  };
  const detailsOf = (inventory: object, plugin_data?: unknown) => toHardwareDetails({ inventory, plugin_data });

  it('lists an interface once for each IP version', () => {
    expect(detailsOf({ interfaces: [nic] }).nics).toEqual(
      ['192.0.2.2', '2001:db8::2'].map((ip) => ({
        name: 'eth46',
        model: '0x8086 0x1',
        mac: 'm',
        ip,
        speedGbps: 25,
        pciAddress: '',
        pxe: false,
      })),
    );
    expect(detailsOf({ interfaces: [{ name: 'a' }] }).nics).toMatchObject([{ ip: '' }]);
    expect(detailsOf({ interfaces: [{ ipv6_address: '::1' }] }).nics).toMatchObject([{ ip: '::1' }]);
    expect(detailsOf({ interfaces: [{ product: 'p' }, { vendor: 'v' }] }).nics).toMatchObject([
      { model: 'p' },
      { model: 'v ' },
    ]);
  });

  it('adds what the switch announced, VLANs included', () => {
    const parsed_lldp = {
      eth46: {
        switch_chassis_id: 'chassis',
        switch_port_id: 'port',
        switch_system_name: '',
        switch_port_vlans: [
          { id: 101, name: 'vlan101' },
          { id: 'x', name: 5 },
        ],
        switch_port_untagged_vlan_id: 4,
      },
    };
    const plugin = { parsed_lldp, all_interfaces: { eth46: { pxe_enabled: true } } };
    expect(detailsOf({ interfaces: [{ name: 'eth46' }, { name: 'other' }] }, plugin).nics).toMatchObject([
      {
        pxe: true,
        lldp: { switchID: 'chassis', portID: 'port' },
        vlans: [
          { id: 101, name: 'vlan101' },
          { id: 0, name: '' },
        ],
        vlanId: 4,
      },
      { pxe: false },
    ]);
    const odd = { eth46: { switch_port_vlans: 'x', switch_port_untagged_vlan_id: 5000 } };
    const [first] = detailsOf({ interfaces: [{ name: 'eth46' }] }, { parsed_lldp: odd }).nics!;
    expect(first).not.toHaveProperty('vlans');
    expect(first).not.toHaveProperty('vlanId');
    expect(first).not.toHaveProperty('lldp');
  });

  it.each([
    ['2499.998', 2500],
    ['2500.5 MHz', 2501],
    ['', 0],
    [undefined, 0],
  ])('reads the clock %j as %d MHz', (frequency, clockMegahertz) => {
    expect(detailsOf({ cpu: { frequency } }).cpu).toMatchObject({ clockMegahertz });
  });

  it('sorts CPU flags', () => {
    expect(detailsOf({ cpu: { flags: ['vmx', 'avx', 'aes'] } }).cpu).toMatchObject({ flags: ['aes', 'avx', 'vmx'] });
  });

  it('names disks by what survives a reboot, and tells their kind', () => {
    const byPath = '/dev/disk/by-path/p';
    const disks = [
      { name: '/dev/nvme0n1', by_path: byPath, rotational: false, size: 5, wwn_with_extension: 'w' },
      { name: '/dev/nvme0n1', rotational: true },
      {},
    ];
    expect(detailsOf({ disks }).storage).toMatchObject([
      { name: byPath, alternateNames: ['/dev/nvme0n1', byPath], type: 'NVME', sizeBytes: 5, wwnWithExtension: 'w' },
      { name: '/dev/nvme0n1', alternateNames: ['/dev/nvme0n1'], type: 'HDD' },
      { name: '', alternateNames: [], type: 'SSD' },
    ]);
  });

  it('carries vendor, firmware, memory', () => {
    const firmware = { vendor: 'fv', version: '1', build_date: 'd' };
    expect(
      detailsOf({
        system_vendor: { manufacturer: 'm', product_name: 'p', serial_number: 's', firmware },
        memory: { physical_mb: 131072, total: 1 },
        hostname: 'h',
      }),
    ).toMatchObject({
      systemVendor: { manufacturer: 'm', productName: 'p', serialNumber: 's' },
      firmware: { bios: { vendor: 'fv', version: '1', date: 'd' } },
      ramMebibytes: 131072,
      hostname: 'h',
    });
  });

  it('never breaks on its contents, only on having none', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('interfaces', 'disks', 'cpu', 'memory', 'hostname', 'system_vendor'),
          fc.jsonValue(),
        ),
        fc.jsonValue(),
        (inventory, plugin) => {
          expect(detailsOf(inventory, plugin)).toHaveProperty('nics');
        },
      ),
    );
    expect(() => toHardwareDetails({ inventory: [] })).toThrow('not an object');
  });
});

describe('words of Ironic', () => {
  it.each([
    [JSON.stringify({ error_message: JSON.stringify({ faultstring: 'f', debuginfo: 'x' }) }), 'f'],
    [JSON.stringify({ error_message: { faultstring: 'f' } }), 'f'],
    [JSON.stringify({ error_message: JSON.stringify({ code: 406, title: 't', description: 'd' }) }), 'd'],
    [JSON.stringify({ error: { message: 'm', code: 401 } }), 'm'],
    [JSON.stringify({ error_message: 'plain' }), 'plain'],
    [' <html> ', '<html>'],
    ['{"unknown":1}', '{"unknown":1}'],
  ])('are found in %s', (body, words) => {
    expect(faultText(body, [])).toBe(words);
  });

  it('never hold a secret of the request, however it is escaped', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), (password) => {
        // Text that is in every answer anyway is no secret.
        fc.pre(!'*** {"driver_info":{"ipmi_password":"***"}}'.includes(password));
        const request = { driver_info: { ipmi_password: password } };
        const body = JSON.stringify({
          error_message: JSON.stringify({ faultstring: `no: ${JSON.stringify(request)} ${password}` }),
        });
        expect(faultText(body, secretsOf(request))).not.toContain(password);
      }),
    );
  });

  it('are searched for the secrets in bodies and in patches', () => {
    expect(secretsOf({ target: 'active', configdrive: { user_data: 'u', meta_data: { a: 'b' } } })).toEqual(['u', 'b']);
    expect(secretsOf([{ op: 'add', path: '/instance_info/image_pull_secret', value: 's' }])).toEqual(['s']);
    expect(secretsOf([{ op: 'add', path: '/network_data', value: { links: [{ id: 'l' }] } }])).toEqual(['l']);
    expect(
      secretsOf([{ op: 'add', path: '/driver_info', value: { redfish_password: 'p', redfish_address: 'a' } }]),
    ).toEqual(['p']);
    const settings = [
      { name: 'AdminPassword', value: 'p' },
      { name: 'NumLock', value: 'On' },
    ];
    expect(secretsOf({ clean_steps: [{ step: 'apply_configuration', args: { settings } }] })).toEqual(['p']);
    expect(secretsOf({ Destination: 'https://d', HttpHeaders: [{ Authorization: 'h' }] })).toEqual(['h']);
    expect(faultText('redfish_password": "shown", x', [])).toBe('redfish_password": "***", x');
  });
});
