import { EmbeddedIronic } from '../../../src/embedded/ironic/index.js';
import { FakeClock } from '../fake-clock.js';
import { ApiClient } from './client.js';
import type { IronicTarget, Machine } from './target.js';

/** The embedded server on a clock that stands still while nobody waits. */
export async function startEmbedded(): Promise<IronicTarget> {
  const clock = new FakeClock();
  const conductor = 'embedded-conductor';
  const credentials = { username: 'admin', password: 'not-to-be-shown' };
  // Controllers that are none of a machine's, as those of nodes without hardware, take anything.
  const known = { match: { bmcAddress: 'https://bmc-*' }, credentials };
  const ironic = new EmbeddedIronic({ clock, conductor, faults: { rules: [known] } });
  const { port } = await ironic.start();
  let machines = 0;
  const machine = (): Machine => {
    machines += 1;
    return {
      address: `https://bmc-${machines}.example.com`,
      system: `/redfish/v1/Systems/machine-${machines}`,
      ...credentials,
      macs: [`52:54:00:00:0${machines}:00`, `52:54:00:00:0${machines}:01`],
      // It is not heard of while the clock stands still.
      silenceAgent: async () => undefined,
    };
  };
  return {
    client: new ApiClient({ root: `http://127.0.0.1:${port}` }),
    conductor,
    showsEveryState: true,
    image: { source: 'http://images.example.com/disk.raw', sha256: 'ab'.repeat(32) },
    pass: async () => clock.advance(100),
    during: async (answer) => {
      let pending = true;
      void answer.finally(() => (pending = false));
      while (pending) await clock.advanceAsync(10);
      return answer;
    },
    elapsed: () => clock.monotonic(),
    machine,
    silentMachine: async () => {
      const silent = machine();
      ironic.setFaults({ rules: [known, { match: { bmcAddress: silent.address }, unreachable: { seconds: 100 } }] });
      // It takes its time all the same.
      return { machine: silent, release: async () => undefined };
    },
    stop: () => ironic.stop(),
  };
}
