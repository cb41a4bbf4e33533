// What one pass through the chart costs: restore from the status, one reconcile, rest, persist. Microseconds, the median of
// several rounds.
import { fromPromise } from 'xstate';
import { hostMachine, persist, powerMachine } from '../../dist/machines/index.js';
import { HostChartRunner } from '../../dist/src/controllers/host/index.js';

const rounds = 9;
const perRound = 500;

const outcome = { kind: 'complete', started: true, details: undefined, provisionerID: 'node-1' };
const actor = fromPromise(() => Promise.resolve(outcome));
const named = (machine) => Object.fromEntries(Object.keys(machine.implementations.actors).map((name) => [name, actor]));
const power = powerMachine.provide({
  actors: { ...named(powerMachine), observePower: fromPromise(() => Promise.resolve(true)) },
});
const machine = hostMachine.provide({ actors: { ...named(hostMachine), managePower: power } });
const runner = new HostChartRunner(machine);

const credentials = { credentials: { name: 'bmc', namespace: 'rack' }, credentialsVersion: '1' };

function scene(state, spec) {
  const status = {
    operationalStatus: 'OK',
    errorMessage: '',
    errorCount: 0,
    provisioningFailCount: 0,
    poweredOn: true,
    hardwareProfile: 'unknown',
    goodCredentials: credentials,
    triedCredentials: credentials,
    provisioning: { state, ID: 'node-1', rootDeviceHints: { deviceName: '/dev/sda' } },
  };
  const observed = {
    firmware: { isIncomplete: false },
    host: { metadata: { name: 'host', namespace: 'rack', generation: 1 }, spec: { online: true, ...spec } },
    haveCredentials: true,
    credentials,
    profile: { name: 'unknown', hints: { deviceName: '/dev/sda' } },
    slot: { kind: 'granted' },
    now: 0,
    maxProvisioningRetries: 5,
  };
  return { status, observed };
}

async function median(state, spec) {
  const { status, observed } = scene(state, spec);
  const { signal } = new AbortController();
  const first = await runner.run(status, observed, {}, signal);
  const lifecycle = persist(first.snapshot);
  const stored = { ...status, lifecycle: { ...lifecycle, state } };
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = process.hrtime.bigint();
    for (let count = 0; count < perRound; count += 1) {
      const { snapshot } = await runner.run(stored, observed, {}, signal);
      JSON.stringify(persist(snapshot));
    }
    times.push(Number(process.hrtime.bigint() - startedAt) / 1000 / perRound);
  }
  return Math.round(times.sort((a, b) => a - b)[Math.floor(rounds / 2)]);
}

/** Without any actor: an unmanaged host. With actors: registration and preparation of a host that is being prepared. */
export async function chartSteps() {
  return {
    stepUs: await median('unmanaged', {}),
    stepWithActorsUs: await median('preparing', { bmc: { address: 'redfish://h/1', credentialsName: 'bmc' } }),
  };
}
