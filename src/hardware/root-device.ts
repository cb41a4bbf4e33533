/** Root-device hints in Ironic's language of operators. */

export interface RootDevice {
  readonly deviceName?: string;
  readonly hctl?: string;
  readonly model?: string;
  readonly vendor?: string;
  readonly serialNumber?: string;
  /** Gigabytes; 0 is no hint. */
  readonly minSizeGigabytes?: number;
  readonly wwn?: string;
  readonly wwnWithExtension?: string;
  readonly wwnVendorExtension?: string;
  readonly rotational?: boolean;
}

type Hint = string | number | boolean | undefined;
type Operator = (value: Hint) => string | undefined;

const equal: Operator = (value) => (value ? `s== ${value}` : undefined);
const containing: Operator = (value) => (value ? `<in> ${value}` : undefined);
const atLeast: Operator = (value) => (value ? `>= ${value}` : undefined);
const asText: Operator = (value) => (value === undefined ? undefined : String(value));

const operators: readonly (readonly [keyof RootDevice, string, Operator])[] = [
  ['deviceName', 'name', equal],
  ['hctl', 'hctl', equal],
  ['model', 'model', containing],
  ['vendor', 'vendor', containing],
  ['serialNumber', 'serial', equal],
  ['minSizeGigabytes', 'size', atLeast],
  ['wwn', 'wwn', equal],
  ['wwnWithExtension', 'wwn_with_extension', equal],
  ['wwnVendorExtension', 'wwn_vendor_extension', equal],
  ['rotational', 'rotational', asText],
];

/** Hints as Ironic takes them in `root_device` and for the disks of a software RAID; {} for none. */
export function ironicRootDevice(hints: RootDevice | undefined): Record<string, string> {
  const device: Record<string, string> = {};
  for (const [hint, key, operator] of operators) {
    const value = operator(hints?.[hint]);
    if (value === undefined) continue;
    const isPath = hint === 'deviceName' && hints?.deviceName?.startsWith('/dev/disk/by-path/');
    device[isPath ? 'by_path' : key] = value;
  }
  return device;
}
