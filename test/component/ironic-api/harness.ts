import { EmbeddedIronic, type EmbeddedIronicOptions } from '../../../src/embedded/ironic/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { ApiClient, type Parsed } from '../../support/ironic-api/client.js';

/** A running server with a clock that the test moves. */
export interface Bench {
  api: ApiClient;
  ironic: EmbeddedIronic;
  clock: FakeClock;
  /** Lets time pass until the node is in a state. @throws when it does not come within the given seconds */
  reach: (ident: string, state: string, seconds?: number) => Promise<Parsed>;
  /** Lets time pass until no node has anything under way. */
  settled: () => Promise<void>;
}

const open = new Set<EmbeddedIronic>();

export async function startBench(options: Partial<EmbeddedIronicOptions> = {}): Promise<Bench> {
  const clock = new FakeClock();
  const ironic = new EmbeddedIronic({ clock, conductor: 'conductor-1', ...options });
  const { port } = await ironic.start();
  open.add(ironic);
  const api = new ApiClient({ root: `http://127.0.0.1:${port}` });
  return {
    api,
    ironic,
    clock,
    reach: async (ident, state, seconds = 120) => {
      for (let passed = 0; passed <= seconds; passed += 0.1) {
        const node = ironic.node(ident);
        if (node?.provision_state === state) return api.node(ident);
        clock.advance(100);
      }
      throw new Error(`${ident} is in ${ironic.node(ident)?.provision_state ?? 'no state'}, not in ${state}`);
    },
    settled: async () => {
      const busy = () => ironic.nodes().some((node) => node.reservation !== null || isMoving(node.provision_state));
      for (let tenth = 0; tenth < 1200 && busy(); tenth++) clock.advance(100);
    },
  };
}

const isMoving = (state: string) => /ing$| wait$|call-back$/.test(state);

export async function stopBenches(): Promise<void> {
  for (const ironic of open) await ironic.stop();
  open.clear();
}

let serial = 0;

/** Enrolls a Redfish node with a port of its own; answers with its uuid. */
export async function enroll(api: ApiClient, change: object = {}, withPort = true): Promise<string> {
  serial += 1;
  const reply = await api.post('/v1/nodes', {
    driver: 'redfish',
    name: `lab~host-${serial}`,
    boot_interface: 'redfish-virtual-media',
    driver_info: {
      redfish_address: `https://bmc-${serial}.example.com`,
      redfish_system_id: '/redfish/v1/Systems/1',
      redfish_username: 'admin',
      redfish_password: 'secret',
    },
    properties: { capabilities: 'boot_mode:uefi', cpu_arch: 'x86_64' },
    ...change,
  });
  if (reply.status !== 201) throw new Error(`enroll: ${reply.status} ${JSON.stringify(reply.body)}`);
  const uuid = String(reply.body.uuid);
  if (withPort) {
    const address = `52:54:00:00:${hexPair(serial >> 8)}:${hexPair(serial)}`;
    await api.post('/v1/ports', { node_uuid: uuid, address, pxe_enabled: true });
  }
  return uuid;
}

const hexPair = (number: number) => (number & 255).toString(16).padStart(2, '0');

export const image = [
  { op: 'add', path: '/instance_info/image_source', value: 'http://images.example.com/disk.qcow2' },
  { op: 'add', path: '/instance_info/image_os_hash_algo', value: 'sha256' },
  { op: 'add', path: '/instance_info/image_os_hash_value', value: 'ab'.repeat(32) },
];

/** Takes a new node to `manageable`, `available` or `active`. */
export async function bring(
  bench: Bench,
  state: 'manageable' | 'available' | 'active',
  change: object = {},
): Promise<string> {
  const { api, reach } = bench;
  const uuid = await enroll(api, change);
  await api.provision(uuid, 'manage');
  await reach(uuid, 'manageable');
  if (state === 'manageable') return uuid;
  await api.provision(uuid, 'provide');
  await reach(uuid, 'available');
  if (state === 'available') return uuid;
  await api.patch(`/v1/nodes/${uuid}`, image);
  await api.provision(uuid, 'active');
  await reach(uuid, 'active');
  return uuid;
}
