import type { Talk } from '../talk.js';

/** Lists of nodes: pages, orders, filters. */
export async function lists(talk: Talk): Promise<void> {
  talk.identify('@one', '@two', '@three', '@instance');
  const group = { driver: 'fake-hardware', deploy_interface: 'direct', resource_class: 'of-lists' };
  await talk.quietly('POST /v1/nodes', { ...group, uuid: '@one', name: 'lists-b', description: 'in the cellar' });
  await talk.quietly('POST /v1/nodes', { ...group, uuid: '@two', name: 'lists-c', instance_uuid: '@instance' });
  await talk.quietly('POST /v1/nodes', { ...group, uuid: '@three', name: 'lists-a', maintenance: true });
  const all = 'GET /v1/nodes?resource_class=of-lists';
  await talk.askAll([
    ['all', all],
    ['all without a version', 'GET /v1/nodes?maintenance=true', undefined, { version: null }],
    ['all in detail', `${all}&detail=true`],
    ['all in detail by path', 'GET /v1/nodes/detail?resource_class=of-lists'],
    ['all in detail before that was a parameter', 'GET /v1/nodes?detail=true', undefined, { version: '1.42' }],
    ['some fields', `${all}&fields=uuid,name,provision_state,instance_uuid`],
    ['some fields in an old version', 'GET /v1/nodes?fields=uuid,name', undefined, { version: '1.7' }],
    ['fields and detail', `${all}&fields=uuid&detail=true`],
    ['an unknown field', `${all}&fields=uuid,nosuch`],
    ['a field that is too new', 'GET /v1/nodes?fields=uuid,health', undefined, { version: '1.108' }],
    ['a page', `${all}&limit=2&fields=uuid`],
    ['the next page', `${all}&limit=2&fields=uuid&marker=@two`],
    [
      'a page of what filters leave',
      `${all}&driver=fake-hardware&provision_state=enroll&associated=false&maintenance=false&retired=false&limit=1&fields=uuid`,
    ],
    ['a page of an instance', 'GET /v1/nodes?instance_uuid=@instance&limit=1&fields=uuid'],
    ['a page that is just full', `${all}&limit=3&fields=uuid`],
    ['a page in detail', `${all}&limit=1&detail=true`],
    ['a page of nothing', `${all}&limit=0&fields=uuid`],
    ['a limit that is no number', `${all}&limit=abc`],
    ['a negative limit', `${all}&limit=-1`],
    ['an unknown marker', `${all}&marker=@ghost`],
    ['a marker that is no identity', `${all}&marker=lists-b`],
    ['by name', `${all}&sort_key=name&fields=name`],
    ['by name backwards', `${all}&sort_key=name&sort_dir=desc&fields=name`],
    ['by name, a page', `${all}&sort_key=name&limit=1&fields=name,uuid`],
    ['by time of state', `${all}&sort_key=provision_updated_at&fields=name`],
    ['by time of change', `${all}&sort_key=updated_at&sort_dir=desc&limit=1&fields=uuid`],
    ['by an unknown field', `${all}&sort_key=nosuch`],
    ['by an object', `${all}&sort_key=driver_info`],
    ['in an unknown direction', `${all}&sort_dir=sideways`],
    ['of a state', `${all}&provision_state=enroll&fields=name`],
    ['of another state', `${all}&provision_state=active&fields=name`],
    ['of an unknown state', `${all}&provision_state=nosuch`],
    ['of a state before that was a filter', 'GET /v1/nodes?provision_state=enroll', undefined, { version: '1.8' }],
    ['of a class before that was a filter', all, undefined, { version: '1.20' }],
    ['of a fault before that was a filter', 'GET /v1/nodes?fault=none', undefined, { version: '1.41' }],
    ['of a driver', `${all}&driver=redfish&fields=name`],
    ['with an instance', `${all}&associated=true&fields=name`],
    ['without an instance', `${all}&associated=false&fields=name`],
    ['with a flag that is none', `${all}&associated=maybe`],
    ['in maintenance', `${all}&maintenance=true&fields=name`],
    ['retired', `${all}&retired=true&fields=name`],
    ['of an instance', 'GET /v1/nodes?instance_uuid=@instance&fields=name'],
    ['of an unknown instance', 'GET /v1/nodes?instance_uuid=@ghost'],
    ['of an instance that is none', 'GET /v1/nodes?instance_uuid=xyz'],
    ['of a fault', `${all}&fault=none&fields=name`],
    ['of an unknown fault', `${all}&fault=nosuch`],
    ['of a conductor group', `${all}&conductor_group=&fields=name`],
    ['with a description', `${all}&description_contains=cellar&fields=name`],
    ['of an owner', `${all}&owner=me&fields=name`],
    ['of a lessee', `${all}&lessee=me&fields=name`],
    ['of a conductor', `${all}&conductor=@conductor&fields=name`],
    ['with an unknown parameter', 'GET /v1/nodes?colour=red'],
  ]);
}
