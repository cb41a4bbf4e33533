/** `driver_info` of an Ironic node: how Ironic reaches the BMC. */
import type { BMCAddress } from './address.js';
import { queryParameter } from './url.js';

export interface BMCLogin {
  readonly username: string;
  readonly password: string;
}

export type DriverInfo = Record<string, string | boolean>;

export type DriverInfoBuilder = (
  address: BMCAddress,
  login: BMCLogin,
  disableCertificateVerification: boolean,
) => DriverInfo;

const ipmi: DriverInfoBuilder = (address, login, unverified) => ({
  // A number would be wrong: Ironic wants a string here.
  ipmi_port: address.port || '623',
  ipmi_username: login.username,
  ipmi_password: login.password,
  ipmi_address: address.hostname,
  ipmi_priv_level: queryParameter(address.query, 'privilegelevel') || 'ADMINISTRATOR',
  ...(unverified && { ipmi_verify_ca: false }),
});

/** The suffix of the scheme (`redfish+http`) is the protocol; https without one. */
function redfishAddress({ type, host }: BMCAddress): string {
  return `${type.split('+')[1] ?? 'https'}://${host}`;
}

const redfishWithSystemID: DriverInfoBuilder = (address, login, unverified) => ({
  redfish_address: redfishAddress(address),
  redfish_system_id: address.path,
  redfish_username: login.username,
  redfish_password: login.password,
  ...(unverified && { redfish_verify_ca: false }),
});

/** A path that names no system leaves the choice to Ironic, which takes the only one. */
const redfish: DriverInfoBuilder = (address, login, unverified) => {
  const { redfish_system_id, ...rest } = redfishWithSystemID(address, login, unverified);
  const bare = address.path.replace(/^\/+|\/+$/g, '');
  return bare === '' || bare === 'redfish/v1' ? rest : { ...rest, redfish_system_id: redfish_system_id! };
};

export const driverInfo = { ipmi, redfish, redfishWithSystemID } as const;
