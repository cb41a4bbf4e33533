import type { Talk } from '../talk.js';

/** Versions, unknown paths, drivers and conductors. */
export async function discovery(talk: Talk): Promise<void> {
  const bare = { version: null };
  await talk.askAll([
    ['the root', 'GET /', undefined, bare],
    ['the root in a version that there is not', 'GET /', undefined, { version: '1.999' }],
    ['version one', 'GET /v1'],
    ['version one with a slash', 'GET /v1/'],
    ['version one without a version', 'GET /v1', undefined, bare],
    ['nodes without a version', 'GET /v1/nodes?driver=redfish', undefined, bare],
    ['conductors without a version', 'GET /v1/conductors', undefined, bare],
    ['nodes in the latest version', 'GET /v1/nodes?instance_uuid=@ghost', undefined, { version: 'latest' }],
    ['a version that is too new', 'GET /v1/nodes', undefined, { version: '1.999' }],
    ['a version that is too old', 'GET /v1/nodes', undefined, { version: '1.0' }],
    ['another major version', 'GET /v1/nodes', undefined, { version: '2.1' }],
    ['a version that is none', 'GET /v1/nodes', undefined, { version: 'abc' }],
    ['an unknown resource', 'GET /v1/nonsense'],
    ['an unknown root', 'GET /v2'],
    ['a method that nodes do not take', 'PUT /v1/nodes', {}],
    ['a method that a state does not take', 'POST /v1/nodes/@ghost/states/provision', {}],
    ['drivers', 'GET /v1/drivers', undefined, { shape: true }],
    ['drivers of a type', 'GET /v1/drivers?type=dynamic', undefined, { shape: true }],
    ['drivers in detail', 'GET /v1/drivers?detail=true', undefined, { shape: true }],
    ['an unknown driver', 'GET /v1/drivers/nosuch'],
    ['properties of an unknown driver', 'GET /v1/drivers/nosuch/properties'],
    ['RAID properties of a driver', 'GET /v1/drivers/redfish/raid/logical_disk_properties', undefined, { shape: true }],
    ['conductors', 'GET /v1/conductors'],
    ['the conductor', 'GET /v1/conductors/@conductor', undefined, { shape: true }],
    ['an unknown conductor', 'GET /v1/conductors/nosuch'],
    ['conductors before there were any', 'GET /v1/conductors', undefined, { version: '1.48' }],
  ]);
  for (const driver of ['redfish', 'idrac', 'manual-management']) {
    await talk.ask(`driver ${driver}`, `GET /v1/drivers/${driver}`);
    await talk.ask(`properties of ${driver}`, `GET /v1/drivers/${driver}/properties`, undefined, { shape: true });
  }
}
