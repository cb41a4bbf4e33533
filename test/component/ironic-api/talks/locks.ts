import type { Talk } from '../talk.js';

/** A node that the conductor holds, since its controller does not answer. */
export async function locks(talk: Talk): Promise<void> {
  talk.identify('@node', '@port');
  const { machine, release } = await talk.target.silentMachine();
  const driver_info = talk.introduce(machine);
  await talk.quietly('POST /v1/nodes', { driver: 'redfish', uuid: '@node', name: 'locked', driver_info });
  await talk.quietly('POST /v1/ports', { uuid: '@port', node_uuid: '@node', address: '@mac' });
  const late = { late: true };
  await talk.ask('manage', 'PUT /v1/nodes/@node/states/provision', { target: 'manage' });
  await talk.askAll([
    ['the node', 'GET /v1/nodes/@node'],
    ['its states', 'GET /v1/nodes/@node/states'],
    ['validation', 'GET /v1/nodes/@node?fields=reservation'],
    ['a verb that its state does not take', 'PUT /v1/nodes/@node/states/provision', { target: 'manage' }],
    ['another verb that its state does not take', 'PUT /v1/nodes/@node/states/provision', { target: 'provide' }],
    ['an unknown verb', 'PUT /v1/nodes/@node/states/provision', { target: 'fly' }],
    ['abort', 'PUT /v1/nodes/@node/states/provision', { target: 'abort' }],
    ['a change', 'PATCH /v1/nodes/@node', [{ op: 'add', path: '/extra/k', value: 1 }], late],
    ['a change that cannot be', 'PATCH /v1/nodes/@node', [{ op: 'add', path: '/nosuch', value: 1 }]],
    ['power', 'PUT /v1/nodes/@node/states/power', { target: 'power on' }, late],
    ['an unknown target', 'PUT /v1/nodes/@node/states/power', { target: 'fly' }],
    ['maintenance', 'PUT /v1/nodes/@node/maintenance', { reason: 'x' }, late],
    ['maintenance off', 'DELETE /v1/nodes/@node/maintenance', undefined, late],
    ['a boot device', 'PUT /v1/nodes/@node/management/boot_device', { boot_device: 'disk' }, late],
    ['RAID', 'PUT /v1/nodes/@node/states/raid', {}, late],
    [
      'virtual media',
      'POST /v1/nodes/@node/vmedia',
      { device_type: 'cdrom', image_url: 'http://i.example.com/x.iso' },
      late,
    ],
    ['a port', 'POST /v1/ports', { node_uuid: '@node', address: '@secondmac' }],
    ['ports', 'GET /v1/nodes/@node/ports'],
    ['a change of a port', 'PATCH /v1/ports/@port', [{ op: 'replace', path: '/pxe_enabled', value: false }], late],
    ['deletion of a port', 'DELETE /v1/ports/@port', undefined, late],
    ['an inventory', 'GET /v1/nodes/@node/inventory'],
    ['settings', 'GET /v1/nodes/@node/bios'],
    ['firmware', 'GET /v1/nodes/@node/firmware'],
    ['deletion', 'DELETE /v1/nodes/@node', undefined, late],
  ]);
  await release();
}
