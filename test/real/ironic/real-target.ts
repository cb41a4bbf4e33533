import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient } from '../../support/ironic-api/client.js';
import type { IronicTarget, Machine } from '../../support/ironic-api/target.js';
import type { Bed } from './bed.js';

/** Machines that a conversation has had: what it left in them is nobody else's. */
let used = 0;

/** The bed as a partner of the conversations, without any node. */
export async function startReal(bed: Bed): Promise<IronicTarget> {
  const client = new ApiClient({ root: bed.url });
  const servers: { close(): Promise<void> }[] = [];
  const { body } = await client.get('/v1/conductors');
  const { url: source, checksum: sha256 } = bed.image();
  const machine = (): Machine => {
    used += 1;
    const number = used;
    const { redfishAddress, systemPath, mac } = bed.machine(number);
    return {
      ...{ address: redfishAddress, system: systemPath, ...bed.bmcCredentials },
      macs: [mac, mac.replace(/00$/, '01')],
      silenceAgent: () => bed.steer(number, { noBoot: true }),
    };
  };
  return {
    client,
    conductor: body.conductors[0].hostname,
    showsEveryState: false,
    image: { source, sha256 },
    pass: () => new Promise((resolve) => setTimeout(resolve, 25)),
    during: (answer) => answer,
    elapsed: () => performance.now(),
    machine,
    silentMachine: async () => {
      const silent = await silentController();
      servers.push(silent);
      return { machine: { ...machine(), address: silent.address }, release: () => silent.release() };
    },
    stop: async () => {
      for (const server of servers) await server.close();
    },
  };
}

/** A controller that takes requests and keeps the answer to itself; once released, it refuses whoever asks. */
async function silentController() {
  const waiting = new Set<ServerResponse>();
  let silent = true;
  const refuse = (response: ServerResponse) =>
    response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
  const server = createServer((_request, response) => {
    if (silent) waiting.add(response);
    else refuse(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const release = async () => {
    silent = false;
    for (const response of waiting) refuse(response);
    waiting.clear();
  };
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${port}`, release, close };
}
