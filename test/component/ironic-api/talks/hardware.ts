import type { Talk } from '../talk.js';

const node = '/v1/nodes/@node';
const raid = (disk: object) => ({ logical_disks: [{ size_gb: 100, raid_level: '1', ...disk }] });
const device = (boot_device: unknown, persistent: unknown = false) => ({ boot_device, persistent });
const media = (device_type: unknown, image_url: unknown) => ({ device_type, image_url });

/** What is in a machine and its drives: boot device, RAID, settings, firmware, virtual media, vendor's methods. */
export async function hardware(talk: Talk): Promise<void> {
  talk.identify('@node', '@fake');
  const driver_info = talk.introduce(talk.target.machine());
  const boot_interface = 'redfish-virtual-media';
  await talk.quietly('POST /v1/nodes', { driver: 'redfish', uuid: '@node', boot_interface, driver_info });
  await talk.quietly('POST /v1/nodes', { driver: 'fake-hardware', uuid: '@fake' });
  await talk.askAll([
    ['no settings yet', `GET ${node}/bios`],
    ['no firmware yet', `GET ${node}/firmware`],
  ]);
  await talk.go('@node', { target: 'manage' }, 'manageable');
  await talk.askAll([
    ['managed', `GET ${node}`],
    ['validation', `GET ${node}/validate`],
    ['boot device', `GET ${node}/management/boot_device`, undefined, { shape: true }],
    ['boot devices', `GET ${node}/management/boot_device/supported`],
    ['a boot device', `PUT ${node}/management/boot_device`, device('cdrom')],
    ['a boot device for ever', `PUT ${node}/management/boot_device`, device('disk', true)],
    ['the boot device then', `GET ${node}/management/boot_device`, undefined, { shape: true }],
    ['an unknown boot device', `PUT ${node}/management/boot_device`, device('nosuch')],
    ['no boot device', `PUT ${node}/management/boot_device`, {}],
    ['a boot device for maybe', `PUT ${node}/management/boot_device`, device('disk', 'maybe')],
    ['a boot device of an unknown node', 'PUT /v1/nodes/@ghost/management/boot_device', device('disk')],
    ['the boot device without hardware', 'GET /v1/nodes/@fake/management/boot_device'],
    ['the boot devices without hardware', 'GET /v1/nodes/@fake/management/boot_device/supported'],
    ['boot mode', `PUT ${node}/states/boot_mode`, { target: 'uefi' }],
    ['an unknown boot mode', `PUT ${node}/states/boot_mode`, { target: 'nosuch' }],
    ['boot mode before it was known', `PUT ${node}/states/boot_mode`, { target: 'uefi' }, { version: '1.75' }],
    ['an unknown secure boot', `PUT ${node}/states/secure_boot`, { target: 'maybe' }],
  ]);
  await talk.settle('@node');
  await talk.askAll([
    ['RAID', `PUT ${node}/states/raid`, raid({ is_root_volume: true })],
    ['RAID on all there is', `PUT ${node}/states/raid`, raid({ size_gb: 'MAX', controller: 'software' })],
    ['RAID of a chosen kind', `PUT ${node}/states/raid`, raid({ disk_type: 'ssd', number_of_physical_disks: 2 })],
    ['RAID with a name for a disk', `PUT ${node}/states/raid`, raid({ volume_name: 'root' })],
    ['an unknown level', `PUT ${node}/states/raid`, raid({ raid_level: '99' })],
    ['an unknown size', `PUT ${node}/states/raid`, raid({ size_gb: 'all' })],
    ['a size of nothing', `PUT ${node}/states/raid`, raid({ size_gb: 0 })],
    ['an unknown member of a disk', `PUT ${node}/states/raid`, raid({ colour: 'red' })],
    ['an unknown type of disk', `PUT ${node}/states/raid`, raid({ disk_type: 'tape' })],
    ['a disk without a level', `PUT ${node}/states/raid`, { logical_disks: [{ size_gb: 100 }] }],
    ['no disks', `PUT ${node}/states/raid`, { logical_disks: [] }],
    ['an unknown member', `PUT ${node}/states/raid`, { disks: [] }],
    ['disks that are none', `PUT ${node}/states/raid`, { logical_disks: 'all' }],
    ['RAID before it was known', `PUT ${node}/states/raid`, {}, { version: '1.11' }],
    ['no RAID', `PUT ${node}/states/raid`, {}],
    ['RAID of an unknown node', 'PUT /v1/nodes/@ghost/states/raid', {}],
    ['settings', `GET ${node}/bios`, undefined, { shape: true }],
    ['settings in detail', `GET ${node}/bios?detail=true`, undefined, { keys: true }],
    ['settings before there were details', `GET ${node}/bios?detail=true`, undefined, { version: '1.73' }],
    ['settings before there were any', `GET ${node}/bios`, undefined, { version: '1.39' }],
    ['some members of settings', `GET ${node}/bios?fields=name,value`, undefined, { shape: true }],
    ['a setting', `GET ${node}/bios/NumLock`, undefined, { keys: true }],
    ['a setting before there were details', `GET ${node}/bios/NumLock`, undefined, { version: '1.73' }],
    ['an unknown setting', `GET ${node}/bios/nosuch`],
    ['settings of an unknown node', 'GET /v1/nodes/@ghost/bios'],
    ['settings without hardware', 'GET /v1/nodes/@fake/bios'],
    ['firmware', `GET ${node}/firmware`, undefined, { shape: true }],
    ['firmware before there was any', `GET ${node}/firmware`, undefined, { version: '1.85' }],
    ['firmware of an unknown node', 'GET /v1/nodes/@ghost/firmware'],
    ['an inventory of an unknown node', 'GET /v1/nodes/@ghost/inventory'],
    ['no inventory', `GET ${node}/inventory`],
  ]);
  await virtualMedia(talk);
  await vendor(talk);
}

async function virtualMedia(talk: Talk): Promise<void> {
  const image = '@image';
  const attached: [string, unknown][] = [
    ['media of a kind that there is not', media('tape', image)],
    ['media without an image', { device_type: 'cdrom' }],
    ['media without a device', { image_url: image }],
    ['media with an image that is none', media('cdrom', 5)],
    ['media by an unknown way', media('cdrom', 'ftp://i.example.com/x.iso')],
    ['media by no way', media('cdrom', 'x.iso')],
    ['media with an unknown member', { ...media('cdrom', image), colour: 1 }],
    ['media', media('cdrom', image)],
    ['the same media again', media('cdrom', image)],
  ];
  for (const [step, body] of attached) {
    await talk.ask(step, `POST ${node}/vmedia`, body);
    await talk.settle('@node');
  }
  await talk.askAll([
    ['media there are', `GET ${node}/vmedia`, undefined, { shape: true }],
    ['media before they were shown', `GET ${node}/vmedia`, undefined, { version: '1.92' }],
    ['media before there were any', `POST ${node}/vmedia`, media('cdrom', image), { version: '1.88' }],
    ['media away of a kind that there is not', `DELETE ${node}/vmedia?device_types=tape`],
    ['media away', `DELETE ${node}/vmedia?device_types=cdrom`],
  ]);
  await talk.settle('@node');
  await talk.ask('media away again', `DELETE ${node}/vmedia`);
  await talk.settle('@node');
  await talk.askAll([
    ['media of an unknown node', 'POST /v1/nodes/@ghost/vmedia', media('cdrom', image)],
    ['media without hardware', 'POST /v1/nodes/@fake/vmedia', media('cdrom', image)],
    ['media that there are without hardware', 'GET /v1/nodes/@fake/vmedia'],
  ]);
}

/** The controllers of the real tests know no subscriptions: those of the embedded server have tests of their own. */
async function vendor(talk: Talk): Promise<void> {
  const method = `${node}/vendor_passthru?method=`;
  await talk.askAll([
    ['methods', `GET ${node}/vendor_passthru/methods`, undefined, { shape: true }],
    ['no method', `GET ${node}/vendor_passthru`],
    ['an unknown method', `POST ${method}nosuch`, {}],
    ['a method by another way', `GET ${method}create_subscription`],
    ['a method by a way of nobody', `PUT ${method}create_subscription`, {}],
    ['a subscription to nowhere', `POST ${method}create_subscription`, {}],
    ['the end of no subscription', `DELETE ${method}delete_subscription`, {}],
    ['a method of an unknown node', 'POST /v1/nodes/@ghost/vendor_passthru?method=create_subscription', {}],
    ['a method without hardware', 'POST /v1/nodes/@fake/vendor_passthru?method=create_subscription', {}],
  ]);
}
