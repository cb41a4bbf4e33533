import type { Talk } from '../talk.js';

/** What an agent asks for, refused: no agent of anybody's. */
export async function ramdisk(talk: Talk): Promise<void> {
  talk.identify('@node');
  await talk.quietly('POST /v1/nodes', { driver: 'fake-hardware', uuid: '@node', name: 'agentless' });
  await talk.quietly('POST /v1/ports', { node_uuid: '@node', address: '52:54:00:bb:00:01' });
  const beat = { callback_url: 'http://127.0.0.1:9/x', agent_token: 'abc', agent_version: '13.0.0' };
  const { agent_token, ...tokenless } = beat;
  const inventory = { interfaces: [{ mac_address: '52:54:00:bb:00:99', name: 'eth0' }] };
  await talk.askAll([
    ['look-up in the wrong state', 'GET /v1/lookup?addresses=52:54:00:bb:00:01'],
    ['look-up by identity in the wrong state', 'GET /v1/lookup?node_uuid=@node'],
    ['look-up of an unknown address', 'GET /v1/lookup?addresses=52:54:00:bb:00:98'],
    ['look-up of an address that is none', 'GET /v1/lookup?addresses=zz'],
    ['look-up of an unknown node', 'GET /v1/lookup?node_uuid=@ghost'],
    ['look-up of nothing', 'GET /v1/lookup'],
    ['look-up before there was any', 'GET /v1/lookup?node_uuid=@node', undefined, { version: '1.21' }],
    ['a beat without a token', 'POST /v1/heartbeat/@node', tokenless],
    ['a beat with a wrong token', 'POST /v1/heartbeat/@node', { ...tokenless, agent_token }],
    ['a beat without a place to call', 'POST /v1/heartbeat/@node', { agent_token }],
    ['a beat with an unknown member', 'POST /v1/heartbeat/@node', { ...beat, colour: 1 }],
    ['a beat of an unknown node', 'POST /v1/heartbeat/@ghost', beat],
    ['a beat by name', 'POST /v1/heartbeat/agentless', beat],
    ['a beat before there was any', 'POST /v1/heartbeat/@node', beat, { version: '1.21' }],
    ['an inspection of an unknown machine', 'POST /v1/continue_inspection', { inventory }],
    [
      'an inspection of a known machine in the wrong state',
      'POST /v1/continue_inspection?node_uuid=@node',
      { inventory },
    ],
    ['an inspection without cards', 'POST /v1/continue_inspection', { inventory: {} }],
    ['an inspection without an inventory', 'POST /v1/continue_inspection', {}],
  ]);
}
