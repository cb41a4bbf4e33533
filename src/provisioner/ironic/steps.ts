/** Cleaning and service steps, as Ironic takes them. */
import type { FirmwareWish } from '../firmware.js';

export interface Step {
  readonly interface: string;
  readonly step: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** Settings first, then components. Pure. Provisioner spec, sections 8.3 and 8.4. */
export function firmwareSteps(wish: FirmwareWish | undefined): Step[] {
  if (wish === undefined) return [];
  const settings = changedSettings(wish);
  const components = wish.targetComponents.map(({ component, url }) => ({ component, url }));
  return [
    ...(settings.length > 0 ? [{ interface: 'bios', step: 'apply_configuration', args: { settings } }] : []),
    ...(components.length > 0 ? [{ interface: 'firmware', step: 'update', args: { settings: components } }] : []),
  ];
}

/** Ironic shows every value as text; it is given numbers as numbers. */
function changedSettings({ targetSettings, actualSettings }: FirmwareWish) {
  if (actualSettings === undefined) return [];
  return Object.entries(targetSettings)
    .filter(([name, value]) => (ownValue(actualSettings, name) ?? '') !== String(value))
    .map(([name, value]) => ({ name, value }));
}

function ownValue(settings: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}
