import { beforeAll, describe, expect, it } from '@jest/globals';
import { settle } from '../../src/controllers/host/status.js';
import { HostChartRunner, providedHostMachine } from '../../src/controllers/host/index.js';
import type { HostServices } from '../../src/controllers/host/services.js';
import { lifecycleOf } from '../../machines/index.js';
import { defaultDrivers } from '../../src/hardware/index.js';
import { IronicClient, type Transport, versionFor } from '../../src/provisioner/ironic/client/index.js';
import { HostSession } from '../../src/provisioner/ironic/host-session.js';
import { IronicProvisioner } from '../../src/provisioner/ironic/ironic-provisioner.js';
import { NodeMemory } from '../../src/provisioner/ironic/node-memory.js';
import { DirectNodeReader } from '../../src/provisioner/ironic/node-reader.js';
import { observe } from '../support/chart-step.js';
import { everyLook, ironicConfig, steady, StillClock } from '../support/ironic-host.js';
import { StillIronic } from '../support/still-ironic.js';
import { bootMAC, type Cell, cells } from './ironic-cells.js';
import { type Expectation, expectationOf } from './ironic-expectations.js';

const config = ironicConfig('http://ironic.invalid/v1/', {
  deployKernelURL: '',
  deployRamdiskURL: '',
  deployISOURL: '',
});
const drivers = defaultDrivers();
const runner = new HostChartRunner(providedHostMachine);

function provisionerOn(ironic: StillIronic, { facts }: Cell): IronicProvisioner {
  const client = new IronicClient(ironic as unknown as Transport, {} as never, versionFor(120));
  const { spec, metadata } = facts.host;
  const session = new HostSession({
    ...{ client, config, drivers, random: steady, publish: () => undefined },
    ...{ resolve: () => Promise.resolve(undefined), memory: new NodeMemory(new StillClock(), everyLook) },
    reader: new DirectNodeReader(client, () => Promise.resolve([])),
    host: {
      ...{ namespace: 'default', name: 'host', uid: '0b6e1f3c-5a77-4c1e-9d0a-6f2b8c4d9e10' },
      ...{ bmcAddress: spec.bmc?.address ?? '', disableCertificateVerification: false, bootMACAddress: bootMAC },
      credentials: () => Promise.resolve({ username: 'admin', password: 'pw' }),
      provisionerID: metadata.name === 'host' ? facts.status.provisioning.ID : '',
    },
  });
  return new IronicProvisioner(session);
}

/** What else a pass works with: nothing that could go wrong. */
function servicesOf(ironic: StillIronic, cell: Cell): HostServices {
  const nothing = () => Promise.resolve();
  const text = () => Promise.resolve('');
  const config = { userData: text, metaData: text, networkData: text };
  const secrets = {
    ...{ pullSecret: () => Promise.resolve({ kind: 'good', login: '' }), hostConfig: () => config, release: nothing },
  };
  return {
    ...{ key: 'default/host', host: cell.facts.host, provisioner: provisionerOn(ironic, cell) },
    ...{ writer: { setAnnotations: nothing, removeAnnotations: nothing, removeFinalizer: nothing }, secrets },
    ...{
      hardwareData: { hardware: () => undefined, replace: nothing },
      firmware: { forgetUpdates: nothing, recordUpdates: nothing },
      dataImages: {},
    },
    ...{ images: { release: nothing }, preprovisioningNetworkData: '', warn: () => undefined, count: () => undefined },
    signal: new AbortController().signal,
  } as unknown as HostServices;
}

async function pass(cell: Cell, ironic: StillIronic): Promise<Omit<Expectation, 'commands'> & { error?: string }> {
  const { facts } = cell;
  const observed = observe(facts);
  try {
    const outcome = await runner.run(facts.status, observed, servicesOf(ironic, cell), new AbortController().signal);
    const { status, result } = settle(outcome.draft, outcome.from, outcome.snapshot, observed);
    const isGone = lifecycleOf(outcome.snapshot) === 'deleted';
    const verdict = result?.kind === 'failed' ? String(status.errorType) : 'quiet';
    return { to: isGone ? 'gone' : status.provisioning.state, verdict };
  } catch (error) {
    return { to: facts.status.provisioning.state, verdict: 'thrown', error: String(error) };
  }
}

const astray: string[] = [];
const refused = new Set<string>();
const causeless: string[] = [];
const seen = { cells: 0, thrown: 0, commands: new Map<string, number>(), verdicts: new Set<string>() };

/** What takes something from the machine that cannot be had back: what runs there, or what is on its disks. */
const destructive = new Set(['deleted', 'clean', 'active', 'power: power off', 'power: soft power off', 'delete']);

/** Who has not been told to lose it, keeps it. */
function hasCause({ state, wish }: Cell): boolean {
  if (wish === 'its deletion' || /^to be (?:detached|rebooted)/.test(wish)) return true;
  if (['provisioning', 'deprovisioning', 'powering off before delete', 'deleting'].includes(state)) return true;
  return wish === 'to be offline' || wish.startsWith('other firmware');
}

beforeAll(async () => {
  for (const cell of cells()) {
    const wanted = expectationOf(cell);
    const ironic = new StillIronic(cell.node, bootMAC);
    const { error, ...found } = await pass(cell, ironic);
    seen.cells += 1;
    if (found.verdict === 'thrown') seen.thrown += 1;
    seen.verdicts.add(found.verdict);
    for (const command of ironic.commands) seen.commands.set(command, (seen.commands.get(command) ?? 0) + 1);
    for (const refusal of ironic.refusals) refused.add(refusal);
    const got = JSON.stringify({ commands: ironic.commands, to: found.to, verdict: found.verdict });
    if (got !== JSON.stringify(wanted))
      astray.push(`${cell.name}: ${got}, not ${JSON.stringify(wanted)} ${error ?? ''}`);
    if (!hasCause(cell) && ironic.commands.some((command) => destructive.has(command))) causeless.push(cell.name);
  }
}, 240_000);

describe('every state of a host against every state of its node', () => {
  it('is looked at in its thousands', () => {
    expect(seen.cells).toBeGreaterThan(40_000);
  });

  it('comes to what the tables say: commands, state, error', () => {
    expect(astray.slice(0, 10)).toEqual([]);
    expect(astray).toHaveLength(0);
  });

  it('never asks Ironic for what it does not take in that state', () => {
    expect([...refused].sort()).toEqual([]);
  });

  it('takes nothing from a machine without a cause', () => {
    expect(causeless.slice(0, 10)).toEqual([]);
  });

  it('gives every command and comes to every verdict somewhere', () => {
    expect([...seen.commands.keys()].sort()).toEqual([
      ...['abort', 'active', 'adopt', 'clean', 'clear maintenance', 'create', 'delete', 'deleted', 'inspect', 'manage'],
      ...[
        'port',
        'power: power off',
        'power: power on',
        'power: soft power off',
        'power: soft rebooting',
        'provide',
        'service',
        'set maintenance',
      ],
    ]);
    expect([...seen.verdicts].sort()).toEqual([
      ...['inspection error', 'power management error', 'preparation error', 'provisioned registration error'],
      ...['provisioning error', 'quiet', 'registration error', 'servicing error', 'thrown'],
    ]);
  });
});
