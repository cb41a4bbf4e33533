import { badRequest, unsupported } from './api-error.js';
import { pythonText } from './json.js';

export const interfaceKinds = [
  'raid',
  'console',
  'inspect',
  'firmware',
  'vendor',
  'management',
  'storage',
  'deploy',
  'bios',
  'power',
  'network',
  'rescue',
  'boot',
] as const;
export type InterfaceKind = (typeof interfaceKinds)[number];

/** Enabled implementations of each interface; the first is the default of the driver. */
export type DriverInterfaces = Readonly<Record<InterfaceKind, readonly string[]>>;

const agentDeploy = ['direct', 'ramdisk', 'bootc', 'custom-agent'] as const;
const common = {
  console: ['no-console'],
  storage: ['noop'],
  network: ['noop'],
  rescue: ['no-rescue', 'agent'],
  deploy: agentDeploy,
} as const;

/** The hardware types of a Metal3 set-up with their interfaces, as a real Ironic 39 lists them. */
export const drivers: Readonly<Record<string, DriverInterfaces>> = {
  'fake-hardware': {
    ...common,
    raid: ['fake', 'agent', 'no-raid'],
    console: ['fake', 'no-console'],
    inspect: ['agent', 'no-inspect', 'fake'],
    firmware: ['fake', 'no-firmware'],
    vendor: ['fake', 'no-vendor'],
    management: ['fake'],
    storage: ['noop', 'fake'],
    deploy: [...agentDeploy, 'fake'],
    bios: ['fake', 'no-bios'],
    power: ['fake'],
    rescue: ['fake', 'agent', 'no-rescue'],
    boot: ['fake', 'ipxe', 'pxe'],
  },
  idrac: {
    ...common,
    raid: ['idrac-redfish', 'agent', 'no-raid'],
    inspect: ['agent', 'no-inspect'],
    firmware: ['redfish', 'no-firmware'],
    vendor: ['idrac-redfish', 'no-vendor', 'redfish'],
    management: ['idrac-redfish'],
    bios: ['idrac-redfish', 'no-bios', 'redfish'],
    power: ['idrac-redfish', 'redfish'],
    boot: ['ipxe', 'pxe', 'redfish-https', 'idrac-redfish-virtual-media'],
  },
  ipmi: {
    ...common,
    raid: ['no-raid', 'agent'],
    inspect: ['agent', 'no-inspect'],
    firmware: ['no-firmware'],
    vendor: ['ipmitool', 'no-vendor'],
    management: ['ipmitool', 'noop'],
    bios: ['no-bios'],
    power: ['ipmitool'],
    boot: ['ipxe', 'pxe'],
  },
  'manual-management': {
    ...common,
    raid: ['no-raid', 'agent'],
    inspect: ['agent', 'no-inspect'],
    firmware: ['no-firmware'],
    vendor: ['no-vendor'],
    management: ['noop', 'fake'],
    bios: ['no-bios'],
    power: ['fake'],
    boot: ['ipxe', 'pxe'],
  },
  redfish: {
    ...common,
    raid: ['redfish', 'agent', 'no-raid'],
    inspect: ['agent', 'redfish', 'no-inspect'],
    firmware: ['redfish', 'no-firmware'],
    vendor: ['redfish', 'no-vendor'],
    management: ['redfish', 'noop'],
    bios: ['redfish', 'no-bios'],
    power: ['redfish'],
    boot: ['ipxe', 'pxe', 'redfish-https', 'redfish-virtual-media'],
  },
};

const hardwareClass: Readonly<Record<string, string>> = {
  'fake-hardware': 'FakeHardware',
  idrac: 'IDRACHardware',
  ipmi: 'IPMIHardware',
  'manual-management': 'ManualManagementHardware',
  redfish: 'RedfishHardware',
};

/** The hardware type, which a conductor of the group must have: there is one, in the group without a name. */
export function driverNamed(name: string, group = ''): DriverInterfaces {
  const driver = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  if (driver && group === '') return driver;
  throw badRequest(
    `No valid host was found. Reason: No conductor service registered which supports driver ${name} for conductor ` +
      `group "${group}". Ensure the driver is valid and enabled.`,
  );
}

/** The interface that a node gets: the wanted one when the driver has it, else the driver's default. */
export function chosenInterface(driverName: string, kind: InterfaceKind, wanted: string | null): string {
  const driver = driverNamed(driverName);
  if (wanted === null) return driver[kind][0] ?? `no-${kind}`;
  if (driver[kind].includes(wanted)) return wanted;
  const known = new Set(Object.values(drivers).flatMap((each) => each[kind]));
  if (known.has(wanted)) {
    throw badRequest(
      `${kind} interface implementation '${wanted}' is not supported by hardware type ${hardwareClass[driverName]}.`,
    );
  }
  throw badRequest(
    `Could not find the following interface in the 'ironic.hardware.interfaces.${kind}' entrypoint: ${wanted}. ` +
      `Valid interfaces are ${pythonText([...known].sort())}.`,
  );
}

/** Refuses what a `no-…` interface cannot do. */
export function requireInterface(driver: string, kind: InterfaceKind, implementation: unknown): void {
  if (implementation === `no-${kind}`) throw unsupported(driver, kind);
}

export const isRedfish = (driver: string): boolean => driver === 'redfish' || driver === 'idrac';
