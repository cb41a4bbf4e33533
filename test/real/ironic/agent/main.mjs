#!/usr/bin/env node
/**
 * A fake Ironic agent for many machines. The Redfish emulator tells it of each change of a machine; when one is switched on with a
 * boot image of Ironic in its virtual drive, an agent "boots", reads the kernel's parameters out of that image, posts inspection
 * data if it is asked to, looks up its node, sends heartbeats, and serves the commands that Ironic sends.
 *   usage: main.mjs STATE_FOLDER
 *   PUT /bmc-event                       a machine as its BMC tells it
 *   GET /machines[/UUID]                 what each machine runs, has on its disk, and was told to do
 *   PUT, DELETE /machines/UUID           changes how it behaves (machine.mjs), and restores that
 *   /agents/UUID/v1/commands             its agent's own API
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { Machine } from './machine.mjs';

const folder = process.argv[2];
const read = (name) => readFileSync(join(folder, name), 'utf8').trim();
const site = {
  ironic: read('url'),
  bmc: read('bmc-url'),
  self: read('agent-url'),
  caFile: join(folder, 'pki/ca.crt'),
  bmcAuthorization: `Basic ${Buffer.from(`${read('bmc-username')}:${read('bmc-password')}`).toString('base64')}`,
};

const machines = new Map();
function machineOf(uuid) {
  if (!machines.has(uuid)) machines.set(uuid, new Machine(uuid, site));
  return machines.get(uuid);
}

const fault = (text) => ({ faultcode: 'Client', faultstring: text });

function steer(method, uuid, body) {
  if (uuid === undefined) return [200, [...machines.values()]];
  const machine = machineOf(uuid);
  if (method === 'PUT') machine.change(body);
  if (method === 'DELETE') machine.restore();
  return [200, machine];
}

async function serveAgent(method, [uuid, version, kind, id], query, body) {
  const session = machines.get(uuid)?.session;
  if (session?.isAlive !== true) return [503, fault('no agent runs there')];
  if (version !== 'v1' || kind !== 'commands') return [200, { name: 'Agent API', default_version: { id: 'v1' } }];
  if (query.get('agent_token') !== session.token) return [401, fault('Token invalid.')];
  if (method === 'POST') return session.execute(body.name, body.params, query.get('wait') === 'true');
  if (id === undefined) return [200, { commands: session.commands }];
  const command = session.commands.find((one) => one.id === id);
  return command === undefined ? [404, fault('not found')] : [200, command];
}

function answer(method, url, body) {
  const [room, ...rest] = url.pathname.split('/').filter(Boolean);
  if (room === 'machines') return steer(method, rest[0], body);
  if (room === 'agents') return serveAgent(method, rest, url.searchParams, body);
  if (room !== 'bmc-event') return [404, fault('not found')];
  machineOf(body.uuid).take(body);
  return [204];
}

const server = http.createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let said;
  try {
    const text = Buffer.concat(chunks).toString('utf8');
    said = await answer(request.method, new URL(request.url, site.self), text === '' ? {} : JSON.parse(text));
  } catch (error) {
    said = [500, fault(error.stack)];
  }
  const [status, body] = said;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
});
server.listen(Number(new URL(site.self).port), '127.0.0.1', () => console.log('listening'));
