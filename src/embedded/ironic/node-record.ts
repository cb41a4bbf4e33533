import type { Json, JsonObject } from './json.js';
import type { PlanName } from './plans.js';
import type { ProvisionState } from './state-table.js';

export type PowerState = 'power on' | 'power off';

/** One step of cleaning, deploying or servicing, as the client sent it. */
export interface Step extends JsonObject {
  interface: string;
  step: string;
}

/** The fields of a node that the API shows, under their wire names. */
export interface NodeFields extends JsonObject {
  uuid: string;
  name: string | null;
  created_at: string;
  updated_at: string | null;
  driver: string;
  driver_info: JsonObject;
  driver_internal_info: JsonObject;
  properties: JsonObject;
  instance_info: JsonObject;
  instance_uuid: string | null;
  automated_clean: boolean | null;
  disable_power_off: boolean;
  provision_state: ProvisionState;
  target_provision_state: ProvisionState | null;
  provision_updated_at: string | null;
  power_state: PowerState | null;
  target_power_state: PowerState | null;
  last_error: string | null;
  maintenance: boolean;
  maintenance_reason: string | null;
  fault: string | null;
  reservation: string | null;
  protected: boolean;
  boot_interface: string;
  deploy_interface: string;
  inspect_interface: string;
  bios_interface: string;
  firmware_interface: string;
  raid_interface: string;
  vendor_interface: string;
  power_interface: string;
  clean_step: JsonObject;
  deploy_step: JsonObject;
  service_step: JsonObject;
  raid_config: JsonObject;
  target_raid_config: JsonObject;
}

/** A procedure under way: which, in which of its phases, with which steps. */
export interface Work {
  plan: PlanName;
  phase: number;
  steps: Step[];
  /** Set by an abort that must wait for the end of the present step. */
  abortAfter?: boolean;
}

export interface PowerWork {
  action: string;
  result: PowerState;
}

/** What the inspection saw; the inventory is computed from it whenever it is read. */
export interface InspectionSeed {
  bootMac: string;
  bmcAddress: string;
  networkBoot: boolean;
  arch: string;
  bootMode: string;
}

export interface BiosValue {
  value: string;
  created_at: string;
  updated_at: string | null;
}

export interface FirmwareComponent extends JsonObject {
  created_at: string;
  updated_at: string | null;
  component: string;
  initial_version: string;
  current_version: string;
  last_version_flashed: string | null;
}

export interface AttachedMedia {
  device: string;
  image: string;
}

/** Everything that is known of a node: what the API shows, and the machine behind it. */
export interface NodeRecord {
  /** Order of creation; the default sort key. */
  id: number;
  fields: NodeFields;
  /** What the machine really does; null for a fake one that nobody has switched yet. */
  hardwarePower: PowerState | null;
  work: Work | null;
  powerWork: PowerWork | null;
  inspection: InspectionSeed | null;
  bios: Record<string, BiosValue>;
  firmware: FirmwareComponent[];
  media: AttachedMedia[];
  subscriptions: JsonObject[];
}

/** Values of a node that was just enrolled. */
export function freshFields(uuid: string, driver: string, created: string): NodeFields {
  const empty: Record<string, Json> = {
    boot_mode: null,
    conductor_group: '',
    console_enabled: false,
    description: null,
    extra: {},
    inspection_finished_at: null,
    inspection_started_at: null,
    instance_name: null,
    lessee: null,
    network_data: {},
    owner: null,
    parent_node: null,
    protected_reason: null,
    resource_class: null,
    retired: false,
    retired_reason: null,
    secure_boot: null,
    shard: null,
    traits: [],
    allocation_uuid: null,
    chassis_uuid: null,
  };
  return {
    ...empty,
    uuid,
    name: null,
    created_at: created,
    updated_at: null,
    driver,
    driver_info: {},
    driver_internal_info: {},
    properties: {},
    instance_info: {},
    instance_uuid: null,
    automated_clean: null,
    disable_power_off: false,
    provision_state: 'enroll',
    target_provision_state: null,
    provision_updated_at: null,
    power_state: null,
    target_power_state: null,
    last_error: null,
    maintenance: false,
    maintenance_reason: null,
    fault: null,
    reservation: null,
    protected: false,
    boot_interface: '',
    deploy_interface: '',
    inspect_interface: '',
    bios_interface: '',
    firmware_interface: '',
    raid_interface: '',
    vendor_interface: '',
    power_interface: '',
    clean_step: {},
    deploy_step: {},
    service_step: {},
    raid_config: {},
    target_raid_config: {},
  };
}

/** The first `…_address` of the driver_info: where the management controller is. */
export function bmcAddressOf(node: NodeRecord): string {
  const entry = Object.entries(node.fields.driver_info).find(([key]) => key.endsWith('_address'));
  return typeof entry?.[1] === 'string' ? entry[1] : '';
}

/** A field of driver_info whatever its prefix (`redfish_username`, `ipmi_username`). */
export function driverSetting(node: NodeRecord, suffix: string): string {
  const entry = Object.entries(node.fields.driver_info).find(([key]) => key.endsWith(suffix));
  return typeof entry?.[1] === 'string' ? entry[1] : '';
}
