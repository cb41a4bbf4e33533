import type { Talk } from '../talk.js';

/** Fresh objects in full; what the other conversations see is told by the difference to these. */
export async function modelObjects(talk: Talk): Promise<void> {
  talk.identify('@redfish', '@fake', '@port');
  await talk.ask('a fresh Redfish node', 'POST /v1/nodes', { driver: 'redfish', uuid: '@redfish' });
  await talk.ask('a fresh node without hardware', 'POST /v1/nodes', {
    driver: 'fake-hardware',
    uuid: '@fake',
    deploy_interface: 'direct',
  });
  for (const version of ['1.1', '1.2', '1.31', '1.50', '1.89', '1.95', '1.115']) {
    await talk.ask(`a Redfish node in ${version}`, 'GET /v1/nodes/@redfish', undefined, { version });
  }
  const port = { uuid: '@port', node_uuid: '@redfish', address: '52:54:00:AA:00:01' };
  await talk.ask('a fresh port', 'POST /v1/ports', port);
  for (const version of ['1.1', '1.50', '1.89', '1.97', '1.100', '1.101', '1.115']) {
    await talk.ask(`a port in ${version}`, 'GET /v1/ports/@port', undefined, { version });
  }
  await talk.ask('its states', 'GET /v1/nodes/@redfish/states');
}
