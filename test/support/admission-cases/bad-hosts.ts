import type { Wish } from '../admission.js';
import {
  bmc,
  image,
  software,
  hardware,
  redfish,
  ipmi,
  libvirt,
  idrac,
  disabled,
  details,
  status,
} from './host-wishes.js';

const isNoName = /metadata\.name: Invalid value: ".*": a lowercase RFC 1123 subdomain/;
const uuid = 'a4b0c1d2-1234-4abc-9def-0123456789ab';
/**
 * Hosts that are refused: a title, the host, the refusals in order, and what a server says by itself when it asks no rule because its
 * schema, or what it takes for a name, is against the host already.
 */
export const badHosts: [string, Wish, RegExp[], earlier?: RegExp][] = [
  ['a name with other characters', { name: 'test~' }, [/^metadata.name: "test~"/], isNoName],
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
    /spec\.image\.checksumType: Unsupported value: "SHA42"/,
  ],
  [
    'everything that is wrong at once',
    { name: 'a~', spec: { image: { url: 'test1' } } },
    [/^metadata.name/, /^spec.image.url/, /^spec.image.checksum/],
    isNoName,
  ],
  [
    'everything that is wrong at once, under a name that a server takes',
    { name: uuid, spec: { image: { url: 'test1' } } },
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
  [
    'an unknown way of inspection',
    { spec: { inspectionMode: 'slow' } },
    [/^spec.inspectionMode: "slow"/],
    /spec\.inspectionMode: Unsupported value: "slow"/,
  ],
  ['fast inspection by IPMI', { spec: { ...ipmi, inspectionMode: 'fast' } }, [/^spec.inspectionMode: .*ipmi/]],
];
