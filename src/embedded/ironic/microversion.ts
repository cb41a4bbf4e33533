import { InputError } from '../../errors.js';
import { gatewayError, notAcceptable } from './api-error.js';

/** Range of minor versions of API 1 that this server offers. */
export interface VersionRange {
  min: number;
  max: number;
}

export const defaultRange: VersionRange = { min: 1, max: 115 };

/** First minor version that knows a node field; fields that are absent here are in every version. */
const nodeFieldVersions: Readonly<Record<string, number>> = {
  driver_internal_info: 3,
  name: 5,
  inspection_finished_at: 6,
  inspection_started_at: 6,
  clean_step: 7,
  raid_config: 12,
  target_raid_config: 12,
  states: 14,
  network_interface: 20,
  resource_class: 21,
  portgroups: 24,
  boot_interface: 31,
  console_interface: 31,
  deploy_interface: 31,
  inspect_interface: 31,
  management_interface: 31,
  power_interface: 31,
  raid_interface: 31,
  vendor_interface: 31,
  volume: 32,
  storage_interface: 33,
  traits: 37,
  rescue_interface: 38,
  bios_interface: 40,
  fault: 42,
  deploy_step: 44,
  conductor_group: 46,
  automated_clean: 47,
  protected: 48,
  protected_reason: 48,
  conductor: 49,
  owner: 50,
  description: 51,
  allocation_uuid: 52,
  retired: 61,
  retired_reason: 61,
  lessee: 65,
  network_data: 66,
  boot_mode: 75,
  secure_boot: 75,
  shard: 82,
  parent_node: 83,
  firmware_interface: 86,
  service_step: 87,
  disable_power_off: 95,
  instance_name: 104,
  health: 109,
};

const portFieldVersions: Readonly<Record<string, number>> = {
  internal_info: 18,
  local_link_connection: 19,
  pxe_enabled: 19,
  portgroup_uuid: 24,
  physical_network: 34,
  is_smartnic: 53,
  name: 88,
  description: 97,
  vendor: 100,
  category: 101,
  available_for_dynamic_portgroup: 111,
};

export const nodeFieldSince = (field: string): number => nodeFieldVersions[field] ?? 1;
export const portFieldSince = (field: string): number => portFieldVersions[field] ?? 1;

/** Refuses with 406 what a too old version of the API asks for. */
export function requireVersion(minor: number, since: number): void {
  if (minor < since) throw notAcceptable();
}

/** A whole sub-resource that the asked version does not have is 404. */
export function requireResource(minor: number, since: number): void {
  if (minor < since) throw gatewayError(404, 'Not Found');
}

/** Reads `1.min` and `1.max` of the configuration. */
export function parseRange(range: { min?: string; max?: string } | undefined): VersionRange {
  const parsed = {
    min: minorOf('microversions.min', range?.min, defaultRange.min),
    max: minorOf('microversions.max', range?.max, defaultRange.max),
  };
  if (parsed.min > parsed.max) {
    throw new InputError('microversions', `1.${parsed.min} is above 1.${parsed.max}`, 'give min not above max');
  }
  return parsed;
}

function minorOf(field: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const match = /^1\.(\d{1,4})$/.exec(text);
  if (!match) throw new InputError(field, `"${text}" is no version`, 'write it as 1.N');
  return Number(match[1]);
}

/** The minor version that a request asks for; none asked is the oldest. Garbage and out of range are 406. */
export function requestedVersion(headers: Record<string, string | string[] | undefined>, range: VersionRange): number {
  const asked = askedVersion(headers);
  if (asked === undefined) return range.min;
  if (asked === 'latest') return range.max;
  const match = /^(\d+)\.(\d+)$/.exec(asked);
  if (!match) {
    throw gatewayError(406, 'Not Acceptable', 'Invalid value for X-OpenStack-Ironic-API-Version header');
  }
  const [major, minor] = [Number(match[1]), Number(match[2])];
  if (major !== 1) {
    throw gatewayError(
      406,
      'Not Acceptable',
      `Mutually exclusive versions requested. Version ${asked} requested but not supported by this service. ` +
        `The supported version range is: [1.${range.min}, 1.${range.max}].`,
    );
  }
  if (minor < range.min || minor > range.max) {
    throw gatewayError(
      406,
      'Not Acceptable',
      `Version ${asked} was requested but the minor version is not supported by this service. ` +
        `The supported version range is: [1.${range.min}, 1.${range.max}].`,
    );
  }
  return minor;
}

function askedVersion(headers: Record<string, string | string[] | undefined>): string | undefined {
  const generic = headers['openstack-api-version'];
  const named = /^baremetal\s+(\S+)$/.exec(String(generic ?? '').trim());
  const own = headers['x-openstack-ironic-api-version'];
  const text = named?.[1] ?? (Array.isArray(own) ? own[0] : own);
  return text?.trim().toLowerCase();
}
