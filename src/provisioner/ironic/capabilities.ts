/** Boot mode as Ironic's capabilities. */
import type { BootMode } from '../provisioner.js';

const texts: Readonly<Record<BootMode, string>> = {
  UEFI: 'boot_mode:uefi',
  UEFISecureBoot: 'boot_mode:uefi,secure_boot:true',
  legacy: 'boot_mode:bios',
};

/** For `properties.capabilities` of a new node. */
export function capabilities(bootMode: BootMode | undefined): string {
  return bootMode === undefined ? '' : texts[bootMode];
}

/** The same for a node that has capabilities already: those of others are kept. */
export function mergedCapabilities(existing: unknown, bootMode: BootMode | undefined): string {
  const own = capabilities(bootMode);
  if (typeof existing !== 'string' || existing === '') return own;
  const others = existing.split(',').filter((item) => !/^(boot_mode|secure_boot):/.test(item));
  return [...others, own].join(',');
}

/** For `instance_info.capabilities`. */
export function instanceCapabilities(bootMode: BootMode | undefined): Record<string, string> {
  return bootMode === 'UEFISecureBoot' ? { secure_boot: 'true' } : {};
}
