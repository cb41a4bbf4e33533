/** What the settings of each hardware type are called; what each means, Ironic's own manual tells. */
import type { JsonObject } from './json.js';

const agent = [
  ...['agent_verify_ca', 'deploy_forces_oob_reboot', 'deploy_kernel', 'deploy_ramdisk', 'image_download_source'],
  ...['image_http_proxy', 'image_https_proxy', 'image_no_proxy'],
];
const booted = [...agent, 'force_persistent_boot_device', 'kernel_append_params', 'rescue_kernel', 'rescue_ramdisk'];
const redfish = [
  ...booted,
  ...['firmware_update_unresponsive_bmc_wait', 'redfish_address', 'redfish_auth_type', 'redfish_password'],
  ...['redfish_system_id', 'redfish_tls_ciphers', 'redfish_tls_minimum_version', 'redfish_username'],
  'redfish_verify_ca',
];
const ipmi = [
  ...['address', 'bridging', 'cipher_suite', 'force_boot_device', 'disable_boot_timeout', 'hex_kg_key'],
  ...['local_address', 'password', 'port', 'priv_level', 'protocol_version', 'target_address', 'target_channel'],
  ...['terminal_port', 'transit_address', 'transit_channel', 'username'],
].map((name) => `ipmi_${name}`);

const settings: Readonly<Record<string, readonly string[]>> = {
  'fake-hardware': [...agent, 'B1', 'B2'],
  idrac: redfish,
  ipmi: [...booted, ...ipmi],
  'manual-management': booted,
  redfish,
};

const described = (names: readonly string[], of: string): JsonObject =>
  Object.fromEntries([...names].sort().map((name) => [name, `The ${of} "${name}".`]));

export const driverSettings = (driver: string): JsonObject => described(settings[driver] ?? [], 'setting');

const disk = [
  ...['controller', 'disk_type', 'interface_type', 'is_root_volume', 'number_of_physical_disks', 'physical_disks'],
  ...['raid_level', 'share_physical_disks', 'size_gb', 'volume_name'],
];

/** What a logical disk may have. */
export const logicalDiskProperties = (): JsonObject => described(disk, 'property');
