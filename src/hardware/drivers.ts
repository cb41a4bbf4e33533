/** The BMC protocols as a table: which driver and interfaces of Ironic serve an address, and what they need. */
import { driverInfo, type DriverInfoBuilder } from './driver-info.js';

/** Hardware interfaces of an Ironic node; one that is left out is Ironic's choice. */
export interface DriverInterfaces {
  readonly bios?: string;
  readonly boot?: string;
  readonly firmware?: string;
  /** For out-of-band (fast) inspection; left out: the protocol cannot do it. */
  readonly inspect?: string;
  readonly management?: string;
  readonly power?: string;
  readonly raid?: string;
  readonly vendor?: string;
}

export interface DriverEntry {
  readonly driver: string;
  readonly interfaces: DriverInterfaces;
  readonly needsMAC: boolean;
  /** The agent can be booted from an ISO image, without a provisioning network. */
  readonly supportsISOPreprovisioningImage: boolean;
  readonly requiresProvisioningNetwork: boolean;
  readonly supportsSecureBoot: boolean;
  readonly driverInfo: DriverInfoBuilder;
}

/** The schemes that are known. Open: tests and plugins add their own to a registry of theirs. */
export class DriverRegistry {
  readonly #entries = new Map<string, DriverEntry>();

  /** Adds `name`, and `name` followed by each of the suffixes. The last registration of a name wins. */
  register(name: string, entry: DriverEntry, suffixes: readonly string[] = []): this {
    for (const suffix of ['', ...suffixes]) this.#entries.set(name + suffix, entry);
    return this;
  }

  get(type: string): DriverEntry | undefined {
    return this.#entries.get(type);
  }

  types(): string[] {
    return [...this.#entries.keys()];
  }
}

const overHTTP = ['+http', '+https'];

const network = {
  supportsISOPreprovisioningImage: false,
  requiresProvisioningNetwork: true,
};
const virtualMedia = {
  supportsISOPreprovisioningImage: true,
  requiresProvisioningNetwork: false,
};

const ipmi: DriverEntry = {
  ...network,
  driver: 'ipmi',
  interfaces: { boot: 'ipxe', raid: 'no-raid' },
  needsMAC: false,
  supportsSecureBoot: false,
  driverInfo: driverInfo.ipmi,
};

const redfishInterfaces = { boot: 'ipxe', firmware: 'redfish', inspect: 'redfish', raid: 'redfish' };
const redfish: DriverEntry = {
  ...network,
  driver: 'redfish',
  interfaces: redfishInterfaces,
  needsMAC: false,
  supportsSecureBoot: true,
  driverInfo: driverInfo.redfish,
};
const redfishVirtualMedia: DriverEntry = {
  ...redfish,
  ...virtualMedia,
  interfaces: { ...redfishInterfaces, boot: 'redfish-virtual-media' },
};

const idracInterfaces = {
  bios: 'idrac-redfish',
  boot: 'ipxe',
  firmware: 'redfish',
  inspect: 'redfish',
  management: 'idrac-redfish',
  power: 'idrac-redfish',
  raid: 'idrac-redfish',
  vendor: 'idrac-redfish',
};
const idrac: DriverEntry = { ...redfish, driver: 'idrac', interfaces: idracInterfaces };

export function defaultDrivers(): DriverRegistry {
  return new DriverRegistry()
    .register('ipmi', ipmi)
    .register('libvirt', { ...ipmi, needsMAC: true })
    .register('redfish', redfish, overHTTP)
    .register('ilo5-redfish', redfish, overHTTP)
    .register('idrac-redfish', idrac, overHTTP)
    .register('redfish-virtualmedia', redfishVirtualMedia, overHTTP)
    .register('ilo5-virtualmedia', redfishVirtualMedia, overHTTP)
    .register(
      'idrac-virtualmedia',
      { ...idrac, ...virtualMedia, interfaces: { ...idracInterfaces, boot: 'idrac-redfish-virtual-media' } },
      overHTTP,
    )
    .register(
      'redfish-uefihttp',
      {
        ...redfish,
        ...virtualMedia,
        interfaces: { ...redfishInterfaces, boot: 'redfish-https' },
        driverInfo: driverInfo.redfishWithSystemID,
      },
      overHTTP,
    );
}
