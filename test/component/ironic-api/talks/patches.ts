import type { Talk } from '../talk.js';

const add = (path: string, value: unknown) => [{ op: 'add', path, value }];
const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];
const remove = (path: string) => [{ op: 'remove', path }];

const whole = { links: [], networks: [], services: [] };
const link = { id: 'a', type: 'phy', ethernet_mac_address: '52:54:00:aa:00:01' };

/** Changes of nodes. */
export async function patches(talk: Talk): Promise<void> {
  talk.identify('@node', '@other', '@instance');
  const redfish = talk.introduce(talk.target.machine());
  const made = { driver: 'redfish', uuid: '@node', name: 'patched', driver_info: redfish };
  await talk.quietly('POST /v1/nodes', { ...made, boot_interface: 'redfish-virtual-media' });
  await talk.quietly('POST /v1/nodes', { driver: 'redfish', uuid: '@other', name: 'other' });
  const wanted: [string, unknown, version?: string][] = [
    ['a key', add('/extra/k', { deep: [1, 2], list: [] })],
    ['a member of a list', add('/extra/k/deep/-', 3)],
    ['a member outside of a list', add('/extra/k/deep/9', 3)],
    ['a place of a list', replace('/extra/k/deep/0', 'first')],
    ['a member of a list less', remove('/extra/k/deep/0')],
    ['a key below what is not there', add('/extra/nosuch/k', 1)],
    ['a whole object', replace('/extra', { z: 1 })],
    ['a key less', remove('/extra/z')],
    ['a key less that is not there', remove('/extra/nosuch')],
    ['a key that is not there', replace('/extra/nosuch', 1)],
    ['an object less', remove('/extra')],
    ['an object that is none', replace('/extra', 'text')],
    ['an object that is null', replace('/extra', null)],
    ['a password', add('/driver_info/redfish_password', 'other')],
    ['the mask as a password', add('/driver_info/redfish_password', '******')],
    ['the whole of driver_info', replace('/driver_info', redfish)],
    [
      'an image',
      [...add('/instance_info/image_source', '@image'), ...add('/instance_info/image_os_hash_algo', 'sha256')],
    ],
    [
      'secrets of an instance',
      [...add('/instance_info/configdrive', 'hush'), ...add('/instance_info/api_token', 'hush')],
    ],
    ['capabilities', add('/instance_info/capabilities', { boot_option: 'local', secure_boot: 'true' })],
    ['a root device', add('/properties/root_device', { name: 's== /dev/sda' })],
    ['an unknown hint', add('/properties/root_device', { nosuch: 'x' })],
    ['an unknown field', add('/nosuch', 1)],
    ['an unknown operation', [{ op: 'frob', path: '/extra/k', value: 1 }]],
    ['a test', [{ op: 'test', path: '/name', value: 'patched' }]],
    ['a move', [{ op: 'move', path: '/extra/k', from: '/extra/l' }]],
    ['no path', [{ op: 'add', value: 1 }]],
    ['no operation', [{ path: '/extra/k', value: 1 }]],
    ['no value', [{ op: 'add', path: '/extra/k' }]],
    ['a path without a slash', add('extra/k', 1)],
    ['an empty path', add('', {})],
    ['a path of the root', add('/', {})],
    ['an escaped path', add('/extra/a~1b', 1)],
    ['a dotted path', add('/extra/a.b', 1)],
    ['nothing', []],
    ['an object in place of a list', { op: 'add', path: '/extra/k', value: 1 }],
    ['a list of texts', ['text']],
    ['no JSON', '[{"op":'],
    ['a provision state', replace('/provision_state', 'active')],
    ['an identity', replace('/uuid', '@ghost')],
    ['what the driver keeps', add('/driver_internal_info/x', 1)],
    ['a name that is taken', replace('/name', 'other')],
    ['a name that is none', replace('/name', 'a b')],
    ['a name that is a number', replace('/name', 5)],
    ['no name', remove('/name')],
    ['the name again', add('/name', 'patched')],
    ['an instance', add('/instance_uuid', '@instance')],
    ['another instance', replace('/instance_uuid', '@ghost')],
    ['an instance that is none', add('/instance_uuid', 'xyz')],
    ['no instance', remove('/instance_uuid')],
    ['an interface', replace('/boot_interface', 'ipxe')],
    ['no interface', remove('/boot_interface')],
    ['an unknown interface', replace('/boot_interface', 'nosuch')],
    ['an interface of another driver', replace('/power_interface', 'fake')],
    ['a driver that has other interfaces', replace('/driver', 'manual-management')],
    ['an unknown driver', replace('/driver', 'nosuch')],
    ['no driver', remove('/driver')],
    ['a flag', replace('/automated_clean', false)],
    ['a flag in words', replace('/automated_clean', 'yes')],
    ['a flag that is none', replace('/automated_clean', 'maybe')],
    ['a flag less', remove('/automated_clean')],
    ['power less', remove('/disable_power_off')],
    ['retirement less', remove('/retired')],
    ['maintenance less', remove('/maintenance')],
    ['no protection', replace('/protected', false)],
    ['maintenance', replace('/maintenance', true)],
    ['no maintenance', replace('/maintenance', false)],
    ['protection of what is not active', replace('/protected', true)],
    ['retirement', [...replace('/retired', true), ...add('/retired_reason', 'old')]],
    ['no retirement', replace('/retired', false)],
    ['a resource class', replace('/resource_class', 'gold')],
    ['an owner', replace('/owner', 'me')],
    ['a description that is too long', replace('/description', 'x'.repeat(4097))],
    ['network data without links', replace('/network_data', { networks: [] })],
    ['network data without services', replace('/network_data', { links: [], networks: [] })],
    ['network data that are enough', replace('/network_data', whole)],
    ['network data of an unknown kind', replace('/network_data', { ...whole, colour: 1 })],
    ['network data with services that are none', replace('/network_data', { ...whole, services: 1 })],
    ['network data with a link of no type', replace('/network_data', { ...whole, links: [{ id: 'a' }] })],
    ['network data with a link', replace('/network_data', { ...whole, links: [link] })],
    [
      'network data with a service',
      replace('/network_data', { ...whole, services: [{ type: 'dns', address: '192.0.2.1' }] }),
    ],
    ['empty network data', replace('/network_data', {})],
    ['no network data', remove('/network_data')],
    ['network data', replace('/network_data', { links: [] })],
    ['two changes, of which one fails', [...add('/extra/kept', 1), ...remove('/extra/nosuch')]],
    ['a field that is too new', add('/disable_power_off', true), '1.94'],
    ['the same field when it is known', add('/disable_power_off', true), '1.95'],
  ];
  for (const [step, patch, version] of wanted) {
    await talk.ask(step, 'PATCH /v1/nodes/@node', patch, version === undefined ? {} : { version });
  }
  await talk.askAll([
    ['what has become of it', 'GET /v1/nodes/@node'],
    ['by name', 'PATCH /v1/nodes/patched', add('/extra/k', 1)],
    ['an instance of another node', 'PATCH /v1/nodes/@node', add('/instance_uuid', '@instance')],
    ['an instance that is taken', 'PATCH /v1/nodes/@other', add('/instance_uuid', '@instance')],
    ['an unknown node', 'PATCH /v1/nodes/@ghost', add('/extra/k', 1)],
    ['no node', 'PATCH /v1/nodes', add('/extra/k', 1)],
  ]);
}
