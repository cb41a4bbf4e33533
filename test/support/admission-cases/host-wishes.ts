/** What people write into a BareMetalHost, piece by piece. */

export const bmc = (address: string) => ({ bmc: { address, credentialsName: 's' } });
export const image = { url: 'https://images.example.com/os.img', checksum: 'c0ffee', checksumType: 'sha256' };
export const software = (...volumes: object[]) => ({ raid: { softwareRAIDVolumes: volumes } });
export const hardware = (...volumes: object[]) => ({ raid: { hardwareRAIDVolumes: volumes } });
export const redfish = bmc('redfish://10.0.0.1/redfish/v1/Systems/1');
export const ipmi = bmc('ipmi://10.0.0.1');
export const libvirt = bmc('libvirt://10.0.0.1:6233/');
export const idrac = bmc('idrac-virtualmedia+https://192.168.1.1/redfish/v1/Systems/System.Embedded.1');
export const disabled = { 'inspect.metal3.io': 'disabled' };
export const mac = { bootMACAddress: 'aa:bb:cc:dd:ee:ff' };
export const details = (value: string) => ({ ...disabled, 'inspect.metal3.io/hardwaredetails': value });
export const status = (value: string) => ({ 'baremetalhost.metal3.io/status': value });
