/** What Ironic is to know of switches, as its files have it. Pure. */
import type { BareMetalSwitchSpec } from '../../apis/index.js';
import type { Login } from './login.js';

/** Each of its values fits into a line. */
export interface SwitchEntry {
  readonly name: string;
  readonly spec: BareMetalSwitchSpec;
  readonly login: Login;
}

/** The line that other operators for these kinds begin the file with: a change from one to another changes nothing in it. */
const head = '# This file is managed by the Baremetal Operator';

/** @param keyFolder where Ironic finds the files of `keyFiles` */
export function switchConfigs(entries: readonly SwitchEntry[], keyFolder: string): string {
  const sections = sorted(entries).map((entry) => sectionOf(entry, keyFolder));
  return [[head], ...sections].map((lines) => `${lines.join('\n')}\n\n`).join('');
}

/** Content in base64, by the name of the file. */
export function keyFiles(entries: readonly SwitchEntry[]): Record<string, string> {
  const files = sorted(entries).flatMap(({ spec, login: { proof } }) =>
    'privateKey' in proof ? [[keyFileOf(spec), proof.privateKey] as const] : [],
  );
  return Object.fromEntries(files);
}

function sectionOf({ name, spec, login }: SwitchEntry, keyFolder: string): string[] {
  const { address, macAddress, port, driver = 'generic-switch', deviceType, disableCertificateVerification } = spec;
  const { username, proof, adminPassword } = login;
  return [
    `[switch:${name}]`,
    `address=${address}`,
    `mac_address=${macAddress}`,
    ...(port === undefined ? [] : [`port=${port}`]),
    `driver_type=${driver}`,
    `device_type=${deviceType}`,
    ...(disableCertificateVerification === true ? ['insecure=true'] : []),
    `username=${username}`,
    'privateKey' in proof ? `key_file=${keyFolder}/${keyFileOf(spec)}` : `password=${proof.password}`,
    ...(adminPassword === '' ? [] : [`enable_secret=${adminPassword}`]),
  ];
}

function keyFileOf({ macAddress }: BareMetalSwitchSpec): string {
  return `${macAddress.replaceAll(':', '-')}.key`;
}

function sorted(entries: readonly SwitchEntry[]): SwitchEntry[] {
  return [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
}
