import { describe, expect, it } from '@jest/globals';
import type { HostView } from '../../../src/webhooks/rules/index.js';
import { ask, host, onCreate, onUpdate, type Wish } from '../../support/admission.js';

const bmc = (address: string) => ({ bmc: { address, credentialsName: 's' } });
const image = { url: 'https://images.example.com/os.img', checksum: 'c0ffee', checksumType: 'sha256' };
const software = (...volumes: object[]) => ({ raid: { softwareRAIDVolumes: volumes } });
const hardware = (...volumes: object[]) => ({ raid: { hardwareRAIDVolumes: volumes } });
const redfish = bmc('redfish://10.0.0.1/redfish/v1/Systems/1');
const ipmi = bmc('ipmi://10.0.0.1');
const libvirt = bmc('libvirt://10.0.0.1:6233/');
const idrac = bmc('idrac-virtualmedia+https://192.168.1.1/redfish/v1/Systems/System.Embedded.1');
const disabled = { 'inspect.metal3.io': 'disabled' };
const mac = { bootMACAddress: 'aa:bb:cc:dd:ee:ff' };
const details = (value: string) => ({ ...disabled, 'inspect.metal3.io/hardwaredetails': value });
const status = (value: string) => ({ 'baremetalhost.metal3.io/status': value });

const allowed: [string, Wish][] = [
  ['a host without wishes', {}],
  ['an externally provisioned host', { spec: { externallyProvisioned: true } }],
  ['a BMC address with a port', { spec: bmc('ipmi://host-0.example.com.org:6223') }],
  ['a BMC host name', { spec: bmc('ipmi://baremetalhost') }],
  ['an IPv6 address in brackets', { spec: bmc('ipmi://[fe80::fc33:62ff:fe83:8a76]:6233') }],
  ['a bare IP address', { spec: bmc('192.168.122.1') }],
  ['a bare IP address with a port', { spec: bmc('192.168.122.1:6233') }],
  ['a scheme without slashes', { spec: bmc('ipmi:192.168.122.1:6233') }],
  ['virtual media without a MAC address', { spec: idrac }],
  ['a MAC address where nothing is inspected', { annotations: disabled, spec: { ...idrac, ...mac } }],
  ['a BMC without RAID whose hardware volumes are to be deleted', { spec: { ...ipmi, ...hardware() } }],
  [
    'disks with their controller',
    {
      spec: {
        ...redfish,
        ...hardware({ level: '1', controller: 'c', physicalDisks: ['1', '2'], numberOfPhysicalDisks: 2 }),
      },
    },
  ],
  [
    'root device hints without a root volume',
    {
      spec: { rootDeviceHints: { deviceName: '/dev/sda' }, ...software({ level: '1' }) },
    },
  ],
  ['a device', { spec: { rootDeviceHints: { deviceName: '/dev/sda' } } }],
  [
    'a device by its path',
    {
      spec: { rootDeviceHints: { deviceName: '/dev/disk/by-path/pci-0000:01:00.0-scsi-0:2:0:0' } },
    },
  ],
  ['an image with its checksum', { spec: { image } }],
  ['an OCI image', { spec: { image: { url: 'oci://example.com/image:latest' } } }],
  ['a live ISO without a checksum', { spec: { image: { url: 'http://example.com/a.iso', format: 'live-iso' } } }],
  ['a live ISO with a checksum', { spec: { image: { ...image, format: 'live-iso' } } }],
  [
    'a status to take over',
    {
      annotations: status(
        '{"operationalStatus":"OK","provisioning":{"ID":"x","state":"provisioned"},"poweredOn":true}',
      ),
    },
  ],
  [
    'a status that the operator itself wrote',
    {
      annotations: status(
        '{"operationalStatus":"servicing","errorType":"servicing error","lifecycle":{"chart":"host/1"}}',
      ),
    },
  ],
  [
    'a status with fields in another case, and null',
    { annotations: status('{"OperationalStatus":"","errorType":null}') },
  ],
  [
    'reboots',
    {
      annotations: {
        'reboot.metal3.io': '',
        'reboot.metal3.io/a': '{"mode":"hard","force":true,"more":1}',
        'reboot.metal3.io/b': '{"force":true}',
        'reboot.metal3.io/c': '{"mode":""}',
      },
    },
  ],
  ['a request for inspection', { annotations: { 'inspect.metal3.io': '' } }],
  ['hardware details where nothing is inspected', { annotations: details('{"ramMebibytes":1024}') }],
  [
    'hardware details where the field disables inspection',
    {
      annotations: { 'inspect.metal3.io/hardwaredetails': '{"cpu":{"arch":"x86_64"}}' },
      spec: { inspectionMode: 'disabled' },
    },
  ],
  ['secrets of its own namespace', { spec: { userData: { name: 's', namespace: 'ns' }, metaData: { name: 's' } } }],
  ['an online host that is never switched off', { spec: { disablePowerOff: true } }],
  ['secure boot by Redfish', { spec: { ...redfish, bootMode: 'UEFISecureBoot' } }],
  ['fast inspection by Redfish, and without a BMC', { spec: { ...redfish, inspectionMode: 'fast' } }],
  ['fast inspection without a BMC', { spec: { inspectionMode: 'fast' } }],
  [
    'interfaces by name and by MAC address',
    {
      spec: { networkInterfaces: [{ name: 'eth0' }, { name: 'eth1' }, { macAddress: 'aa:bb:cc:dd:ee:ff' }] },
    },
  ],
  ['a detachment by any text', { annotations: { 'baremetalhost.metal3.io/detached': 'by me' } }],
];

const uuid = 'a4b0c1d2-1234-4abc-9def-0123456789ab';
const refused: [string, Wish, (string | RegExp)[]][] = [
  ['a name with other characters', { name: 'test~' }, [/^metadata.name: "test~"/]],
  ['a name that is a UUID', { name: uuid }, [/^metadata.name: .*UUID/]],
  ['a name that is a UUID without dashes', { name: uuid.replaceAll('-', '') }, [/^metadata.name: .*UUID/]],
  ['an unknown scheme', { spec: bmc('test:127.0.1.1') }, [/^spec.bmc.address: .*"test"/]],
  ['a bare IPv6 address without a port', { spec: bmc('[fe80::fc33:62ff:fe83:8a76]') }, [/^spec.bmc.address: /]],
  ['a malformed IPv6 address', { spec: bmc('ipmi://[fe80::fc33:62ff:fe33:8xff]:6223') }, [/^spec.bmc.address: /]],
  ['a bad host name', { spec: bmc('ipmi://bad_host') }, [/^spec.bmc.address: .*bad_host/]],
  [
    'no MAC address where nothing is inspected',
    { annotations: disabled, spec: idrac },
    [/^spec.bootMACAddress: .*idrac-virtualmedia\+https/],
  ],
  ['no MAC address for libvirt', { spec: libvirt }, [/^spec.bootMACAddress: .*libvirt/]],
  [
    'what is no MAC address',
    { spec: { ...ipmi, bootMACAddress: 'zz00:11:22:33:44:55zz' } },
    [/^spec.bootMACAddress: /],
  ],
  ['retired firmware settings', { spec: { firmware: {} } }, [/^spec.firmware: .*HostFirmwareSettings/]],
  [
    'hardware RAID by IPMI',
    { spec: { ...ipmi, ...hardware({ level: '1' }) } },
    [/^spec.raid.hardwareRAIDVolumes: .*ipmi/],
  ],
  [
    'both kinds of RAID',
    {
      spec: { ...redfish, raid: { hardwareRAIDVolumes: [{ level: '1' }], softwareRAIDVolumes: [{ level: '1' }] } },
    },
    [/^spec.raid: .*exclude/],
  ],
  [
    'disks without a controller',
    { spec: { ...redfish, ...hardware({ level: '1', physicalDisks: ['D-1', 'D-2'] }) } },
    [/^spec.raid.hardwareRAIDVolumes\[0\].controller: /],
  ],
  [
    'another number of disks than are named',
    {
      spec: {
        ...redfish,
        ...hardware({ level: '1', controller: 'c', physicalDisks: ['1', '2'], numberOfPhysicalDisks: 3 }),
      },
    },
    [/^spec.raid.hardwareRAIDVolumes\[0\].numberOfPhysicalDisks: is 3.*2/],
  ],
  [
    'several root volumes',
    { spec: software({ level: '1', rootVolume: true }, { level: '1', rootVolume: true }) },
    [/^spec.raid.softwareRAIDVolumes: several/],
  ],
  [
    'a root volume of another level',
    { spec: software({ level: '1' }, { level: '0', rootVolume: true }) },
    [/^spec.raid.softwareRAIDVolumes\[1\].level: is 0/],
  ],
  [
    'a root volume with root device hints',
    {
      spec: { rootDeviceHints: {}, ...software({ level: '1', rootVolume: true }) },
    },
    [/^spec.raid.softwareRAIDVolumes\[0\].rootVolume: .*rootDeviceHints/],
  ],
  ['secure boot by IPMI', { spec: { ...ipmi, bootMode: 'UEFISecureBoot' } }, [/^spec.bootMode: .*ipmi/]],
  ['a device without its folder', { spec: { rootDeviceHints: { deviceName: 'sda' } } }, [/deviceName: "sda"/]],
  [
    'a device by its UUID',
    { spec: { rootDeviceHints: { deviceName: '/dev/disk/by-uuid/1' } } },
    [/deviceName: .*by-path/],
  ],
  [
    'an OCI image with a checksum',
    { spec: { image: { url: 'oci://e.com/i', checksum: 'c' } } },
    [/^spec.image.checksum: /],
  ],
  [
    'an OCI image with a checksum, in capitals',
    { spec: { image: { url: 'OCI://e.com/i', checksum: 'c' } } },
    [/^spec.image.checksum: /],
  ],
  ['an image without a scheme', { spec: { image: { ...image, url: 'test1' } } }, [/^spec.image.url: is no URL/]],
  ['an image on a socket', { spec: { image: { ...image, url: 'unix://example.com' } } }, [/^spec.image.url: .*"unix"/]],
  ['an image without a URL', { spec: { image: { ...image, url: '' } } }, [/^spec.image.url: is no URL: it is empty/]],
  ['an image that is a path', { spec: { image: { ...image, url: '/x' } } }, [/^spec.image.url: has the scheme ""/]],
  ['an image without a checksum', { spec: { image: { url: image.url } } }, [/^spec.image.checksum: /]],
  [
    'an unknown checksum',
    { spec: { image: { ...image, checksumType: 'SHA42' } } },
    [/^spec.image.checksumType: .*SHA42.*auto, md5, sha256, sha512/],
  ],
  [
    'everything that is wrong at once',
    { name: 'a~', spec: { image: { url: 'test1' } } },
    [/^metadata.name/, /^spec.image.url/, /^spec.image.checksum/],
  ],
  [
    'a status that is no JSON',
    { annotations: status('{') },
    [/^metadata.annotations\[baremetalhost.metal3.io\/status\]: /],
  ],
  ['a status with an unknown field', { annotations: status('{"provisioning":{"odd":1}}') }, [/provisioning\.odd/]],
  [
    'a status with a number for a text',
    { annotations: status('{"errorMessage":5}') },
    [/errorMessage is not of type string/],
  ],
  [
    'a status with a broken count',
    { annotations: status('{"errorCount":1.5}') },
    [/errorCount is not of type integer/],
  ],
  [
    'a status with no time for a time',
    { annotations: status('{"lastUpdated":"today"}') },
    [/lastUpdated is not a time/],
  ],
  ['a status that is a list', { annotations: status('[]') }, [/it is no object/]],
  [
    'a status with a number for an object',
    { annotations: status('{"provisioning":5}') },
    [/provisioning is no object/],
  ],
  ['a status with no list for a list', { annotations: status('{"conditions":{}}') }, [/conditions is no list/]],
  ['a status with a day for a time', { annotations: status('{"lastUpdated":"2026-01-31"}') }, [/is not a time/]],
  [
    'a status with no day of a year',
    { annotations: status('{"lastUpdated":"2026-13-31T00:00:00Z"}') },
    [/is not a time/],
  ],
  [
    'an illegal operational status',
    { annotations: status('{"operationalStatus":"dreaming"}') },
    [/"dreaming" is none of/],
  ],
  ['an illegal error type', { annotations: status('{"errorType":"detach error"}') }, [/errorType "detach error"/]],
  ['a reboot that is no JSON', { annotations: { 'reboot.metal3.io/x': 'soon' } }, [/\[reboot.metal3.io\/x\]: must be/]],
  ['a reboot by a list', { annotations: { 'reboot.metal3.io': '[]' } }, [/\[reboot.metal3.io\]: must be/]],
  ['an illegal reboot', { annotations: { 'reboot.metal3.io': '{"mode":"warm"}' } }, [/warm.*none of hard, soft/]],
  ['a reboot of no mode', { annotations: { 'reboot.metal3.io': '{"mode":5}' } }, [/none of hard, soft/]],
  ['a reboot of no force', { annotations: { 'reboot.metal3.io': '{"force":"yes"}' } }, [/force must be/]],
  [
    'an illegal wish for inspection',
    { annotations: { 'inspect.metal3.io': 'enabled' } },
    [/\[inspect.metal3.io\]: "enabled"/],
  ],
  [
    'hardware details of a host that is inspected',
    {
      annotations: { 'inspect.metal3.io/hardwaredetails': '{"ramMebibytes":1024}' },
    },
    [/hardwaredetails\]: is for hosts that are not inspected/],
  ],
  ['hardware details with an unknown field', { annotations: details('{"nics":[{"odd":1}]}') }, [/nics\[0\]\.odd/]],
  [
    'user data of another namespace',
    { spec: { userData: { name: 's', namespace: 'other' } } },
    [/^spec.userData.namespace: "other"/],
  ],
  [
    'network data of another namespace',
    { spec: { networkData: { name: 's', namespace: 'other' } } },
    [/^spec.networkData/],
  ],
  [
    'metadata of another namespace',
    { spec: { metaData: { name: 's', namespace: 'other' } } },
    [/^spec.metaData.namespace/],
  ],
  [
    'a host that is never switched off, and off',
    { spec: { online: false, disablePowerOff: true } },
    [/^spec.online: /],
  ],
  [
    'an interface without a selector',
    { spec: { networkInterfaces: [{}] } },
    [/^spec.networkInterfaces\[0\]: selects no/],
  ],
  [
    'an interface with two selectors',
    {
      spec: { networkInterfaces: [{ name: 'eth0', macAddress: 'aa:bb:cc:dd:ee:ff' }] },
    },
    [/^spec.networkInterfaces\[0\]: .*exclude/],
  ],
  [
    'an interface twice',
    { spec: { networkInterfaces: [{ name: 'eth0' }, { name: 'eth0' }] } },
    [/^spec.networkInterfaces\[1\]: "eth0" was selected before/],
  ],
  [
    'a MAC address twice',
    {
      spec: { networkInterfaces: [{ macAddress: 'AA:BB:CC:DD:EE:FF' }, { macAddress: 'aa:bb:cc:dd:ee:ff' }] },
    },
    [/^spec.networkInterfaces\[1\]: "aa:bb:cc:dd:ee:ff"/],
  ],
  [
    'two wishes for inspection that contradict',
    { annotations: disabled, spec: { inspectionMode: 'agent' } },
    [/^spec.inspectionMode: .*remove one/],
  ],
  ['an unknown way of inspection', { spec: { inspectionMode: 'slow' } }, [/^spec.inspectionMode: "slow"/]],
  ['fast inspection by IPMI', { spec: { ...ipmi, inspectionMode: 'fast' } }, [/^spec.inspectionMode: .*ipmi/]],
];

describe('creating a BareMetalHost', () => {
  it.each(allowed)('is allowed: %s', (_, wish) => {
    expect(onCreate(host(wish))).toEqual([]);
  });

  it.each(refused)('is refused: %s', (_, wish, messages) => {
    expect(onCreate(host(wish))).toEqual(messages.map((message) => expect.stringMatching(message)));
  });

  it.each(refused)('is refused on a change too: %s', (_, wish, messages) => {
    const stored = { ...wish, labels: { new: 'label' }, spec: { ...wish.spec, description: 'before' } };
    expect(onUpdate(host(wish), host(stored))).toEqual(
      expect.arrayContaining(messages.map((message) => expect.stringMatching(message))),
    );
  });

  it('is allowed for an object without a spec', () => {
    expect(onCreate({ ...host(), spec: undefined } as never)).toEqual([]);
  });
});

describe('changing a BareMetalHost', () => {
  const inState = (state: string, operationalStatus = 'OK') => ({
    status: { operationalStatus, provisioning: { ID: '', state } },
  });
  const moved = bmc('ipmi://10.0.0.2');

  it('leaves metadata alone of a host that breaks a rule: a finalizer can always go', () => {
    const broken = { spec: { firmware: {}, image: { url: 'file:///x' } }, annotations: { 'inspect.metal3.io': 'odd' } };
    expect(onUpdate(host(broken), host({ ...broken, finalizers: ['f'], labels: { a: 'b' } }))).toEqual([]);
    expect(onUpdate(host({ ...broken, annotations: { 'ironchart.io/rebooted': 'x' } }), host(broken))).toEqual([]);
    const asked = { ...broken, annotations: { ...broken.annotations, 'reboot.metal3.io': '' } };
    expect(onUpdate(host(asked), host(broken))).toHaveLength(4);
  });

  it('lets nobody move a host to another BMC, unless it is detached or being registered', () => {
    const at = (state: string, status?: string) =>
      onUpdate(host({ spec: moved }), host({ spec: ipmi, ...inState(state, status) }));
    expect(at('available')).toEqual([expect.stringMatching(/^spec.bmc.address: .*detached/)]);
    expect(at('available', 'detached')).toEqual([]);
    expect(at('registering')).toEqual([]);
    expect(onUpdate(host(), host({ spec: ipmi, ...inState('available') }))).toHaveLength(1);
    expect(onUpdate(host({ spec: ipmi }), host({ spec: bmc(''), ...inState('available') }))).toEqual([]);
  });

  it('judges a move by what the host was, not by what the request claims', () => {
    const claims = host({ spec: moved, ...inState('available', 'detached') });
    expect(onUpdate(claims, host({ spec: ipmi, ...inState('available') }))).toHaveLength(1);
  });

  it('keeps the boot MAC address, but for its case', () => {
    const change = (before: string, after: string) =>
      onUpdate(host({ spec: { bootMACAddress: after } }), host({ spec: { bootMACAddress: before } }));
    expect(change('aa:bb:cc:dd:ee:ff', 'AA:BB:CC:DD:EE:FF')).toEqual([]);
    expect(change('', 'aa:bb:cc:dd:ee:ff')).toEqual([]);
    expect(change('aa:bb:cc:dd:ee:ff', 'aa:bb:cc:dd:ee:00')).toEqual([
      expect.stringMatching(/^spec.bootMACAddress: .*ee:ff/),
    ]);
    expect(change('aa:bb:cc:dd:ee:ff', '')).toHaveLength(1);
  });

  it('takes a host over only while it is available', () => {
    const taken = { spec: { externallyProvisioned: true } };
    const from = (state: string) => onUpdate(host(taken), host(inState(state)));
    expect(from('available')).toEqual([]);
    expect(from('inspecting')).toEqual([expect.stringMatching(/^spec.externallyProvisioned: .*"inspecting"/)]);
    expect(from('ready')).toHaveLength(1);
    expect(onUpdate(host(), host({ ...taken, ...inState('externally provisioned') }))).toEqual([]);
  });

  it('leaves image, consumer and credentials to whoever uses the host', () => {
    const after = { image, consumerRef: { name: 'm' }, bmc: { address: 'ipmi://10.0.0.1', credentialsName: 'other' } };
    expect(onUpdate(host({ spec: after }), host({ spec: ipmi, ...inState('provisioned') }))).toEqual([]);
  });
});

describe('deleting a BareMetalHost', () => {
  it('is always allowed', () => {
    expect(ask('DELETE', undefined, host({ spec: { firmware: {} } })).refusals).toEqual([]);
  });
});

describe('warnings', () => {
  const warned = (wish: Wish, hosts: object[] = []) =>
    ask('CREATE', host(wish), undefined, { hosts: hosts as HostView[] }).warnings;

  it('are few: a good host gets none', () => {
    expect(warned({ spec: { ...redfish, ...mac, image } }, [host({ name: 'b', spec: ipmi })])).toEqual([]);
  });

  it('tell of md5, and of an algorithm that has to be guessed', () => {
    expect(warned({ spec: { image: { ...image, checksumType: 'md5' } } })).toEqual([expect.stringMatching(/md5/)]);
    expect(warned({ spec: { image: { url: image.url, checksum: 'c' } } })).toEqual([expect.stringMatching(/guessed/)]);
    expect(warned({ spec: { image: { ...image, checksumType: 'auto' } } })).toEqual([]);
  });

  it('tell of a MAC address and a BMC that another host has, and name it only within the namespace', () => {
    const wish = { spec: { ...ipmi, bootMACAddress: 'AA:BB:CC:DD:EE:FF' } };
    const twin = { ...ipmi, ...mac };
    expect(warned(wish, [host({ name: 'b', spec: twin })])).toEqual([
      expect.stringMatching(/^spec.bootMACAddress: .*the host b/),
      expect.stringMatching(/^spec.bmc.address: .*the host b/),
    ]);
    expect(warned(wish, [host({ name: 'secret', namespace: 'theirs', spec: mac })])).toEqual([
      expect.stringMatching(/^spec.bootMACAddress: .*another namespace/),
    ]);
    expect(warned(wish, [host(wish)])).toEqual([]);
    expect(ask('CREATE', host(wish)).warnings).toEqual([]);
  });

  it('tell of a BMC that would be the machine of Ironic itself, and of retired fields', () => {
    for (const address of ['ipmi://127.0.0.1', 'redfish://localhost/x', 'ipmi://169.254.169.254', 'ipmi://[::1]:623']) {
      expect(warned({ spec: bmc(address) })).toEqual([expect.stringMatching(/^spec.bmc.address: /)]);
    }
    expect(warned({ spec: { hardwareProfile: 'dell' } })).toEqual([expect.stringMatching(/^spec.hardwareProfile: /)]);
  });
});
