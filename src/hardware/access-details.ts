/** Everything that follows from a BMC address. */
import { parseAddress, type BMCAddress } from './address.js';
import { BMCAddressError } from './bmc-address-error.js';
import { defaultDrivers, type DriverInterfaces, type DriverRegistry } from './drivers.js';
import type { BMCLogin, DriverInfo } from './driver-info.js';

export interface AccessDetails extends BMCAddress {
  /** Ironic's driver. */
  readonly driver: string;
  readonly interfaces: DriverInterfaces;
  readonly needsMAC: boolean;
  readonly supportsISOPreprovisioningImage: boolean;
  readonly requiresProvisioningNetwork: boolean;
  readonly supportsSecureBoot: boolean;
  /** Holds the password: never log it. */
  driverInfo(login: BMCLogin): DriverInfo;
}

export interface AccessOptions {
  readonly disableCertificateVerification?: boolean;
  readonly drivers?: DriverRegistry;
}

const builtIn = defaultDrivers();

/** @throws BMCAddressError */
export function accessDetails(address: string, options: AccessOptions = {}): AccessDetails {
  const parsed = parseAddress(address);
  const entry = (options.drivers ?? builtIn).get(parsed.type);
  if (!entry) {
    throw new BMCAddressError(
      'BMC_TYPE_UNKNOWN',
      `unknown BMC type ${JSON.stringify(parsed.type)} in address ${JSON.stringify(shown(parsed))}`,
    );
  }
  const unverified = options.disableCertificateVerification ?? false;
  return { ...parsed, ...entry, driverInfo: (login) => entry.driverInfo(parsed, login, unverified) };
}

const shown = ({ type, host, path }: BMCAddress) => `${type}://${host}${path}`;
