/** The hardware that every demo host is made of. */
import type { HardwareDetails } from '../../apis/index.js';

const disk = (name: string) => ({ name, rotational: false, sizeBytes: 93 * 1024 ** 4, model: 'Dell CFJ61' });

export function demoDetails(): HardwareDetails {
  return {
    ramMebibytes: 128 * 1024,
    nics: [
      { name: 'nic-1', model: 'virt-io', mac: 'ab:cd:12:34:56:78', ip: '192.168.100.1', speedGbps: 1, pxe: true },
      { name: 'nic-2', model: 'e1000', mac: '12:34:56:78:ab:cd', ip: '192.168.100.2', speedGbps: 1, pxe: false },
    ],
    storage: [disk('disk-1 (boot)'), disk('disk-2')],
    cpu: { arch: 'x86_64', model: 'Core 2 Duo', clockMegahertz: 3000, flags: ['lm', 'hypervisor', 'vmx'], count: 1 },
  };
}
