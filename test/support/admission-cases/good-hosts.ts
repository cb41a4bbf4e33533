import type { Wish } from '../admission.js';
import { bmc, image, software, hardware, redfish, ipmi, idrac, disabled, mac, details, status } from './host-wishes.js';

/** Hosts that nothing is said against: a title, and the host. */
export const goodHosts: [string, Wish][] = [
  ['a host without wishes', {}],
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
