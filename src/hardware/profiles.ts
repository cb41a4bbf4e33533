/** Hardware profiles: root-device hints by name, from before hints could be given on the host itself. */
import type { RootDevice } from './root-device.js';

export const hardwareProfiles: Readonly<Record<string, RootDevice>> = {
  unknown: { deviceName: '/dev/sda' },
  libvirt: { deviceName: '/dev/vda' },
  openstack: { deviceName: '/dev/vdb' },
  dell: { hctl: '0:0:0:0' },
  'dell-raid': { hctl: '0:2:0:0' },
  empty: {},
};

/** undefined: there is no profile of that name. */
export function hardwareProfile(name: string): RootDevice | undefined {
  return Object.hasOwn(hardwareProfiles, name) ? hardwareProfiles[name] : undefined;
}

/** The profile of a host, by name: what was chosen before, what is asked for, what the BMC suggests. */
export function chooseHardwareProfile(host: { chosen?: string; wanted?: string; bmcAddress?: string }): string {
  return host.chosen || host.wanted || (host.bmcAddress?.startsWith('libvirt') ? 'libvirt' : 'unknown');
}
