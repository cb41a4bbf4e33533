import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type BareMetalHost, finalizers } from '../../../src/apis/index.js';
import { hostKind } from '../../../src/controllers/host/index.js';
import { type KubeObject, secretKind } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { UpFolder, UpProcess } from '../../support/up-process.js';

jest.setTimeout(120_000);

const key = { namespace: 'default', name: 'host' };
/** Everything runs so many times faster; a phase of a machine takes three of those faster seconds. */
const speed = 16;
const image = (name: string) => ({ url: `http://images.example.com/${name}.qcow2`, checksum: 'a'.repeat(64) });

const manifests = [
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'host-bmc' },
    stringData: { username: 'admin', password: 'right' },
  },
  {
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'BareMetalHost',
    metadata: { name: 'host' },
    spec: {
      online: true,
      bootMACAddress: '02:00:00:00:00:01',
      bmc: { address: 'redfish://192.0.2.10/redfish/v1/Systems/1', credentialsName: 'host-bmc' },
      image: image('first'),
    },
  },
];

const stateOf = (host: BareMetalHost | undefined) => host?.status?.provisioning.state;
const watched = 'default/host';

/** What a person does on the way to the state in which the process is killed. */
type Deed = (up: UpProcess) => Promise<unknown>;

const settled: Deed = (up) =>
  up.watch.until(
    watched,
    'provisioned and on, with the wished image',
    (host) =>
      stateOf(host) === 'provisioned' &&
      host?.status?.poweredOn === true &&
      host.status.provisioning.image?.url === host.spec.image?.url,
  );
const deletion: Deed = async (up) => {
  await settled(up);
  await up.watch.api.delete(hostKind, key);
};
const otherImage: Deed = async (up) => {
  await settled(up);
  await up.watch.api.patch(hostKind, key, { spec: { image: image('second') } });
};

interface Step {
  readonly state: string;
  readonly deed?: Deed;
  /** The node is in one of these when the process is killed: the work is well under way. None: killed at first sight. */
  readonly node?: readonly string[];
  /** And this cleaning step is what it does there. */
  readonly cleanStep?: string;
  /** So many times longer than usual the node stays in `clean wait` until the process is killed. */
  readonly cleansLonger?: number;
  /** The node has just done its work: the host either is about to notice or has this moment, and is then in this state. */
  readonly orAlready?: string;
}

interface NodeFields {
  readonly uuid: string;
  readonly provision_state: string;
  readonly target_provision_state: string | null;
  readonly target_power_state: string | null;
  readonly clean_step: { readonly step?: string };
  readonly raid_config: { readonly logical_disks?: readonly object[] };
}

interface Killed {
  readonly state: string | undefined;
  readonly node: NodeFields | undefined;
}

interface Lived {
  readonly kills: readonly Killed[];
  readonly nodes: ReadonlySet<string>;
  /** Provision states of the node all its life long; one that only goes on is told once. */
  readonly provisionStates: readonly string[];
  /** How often the node was cleaned for the sake of its volumes or firmware, and not only on its way to `available`. */
  readonly manualCleanings: number;
  /** As the node was left. */
  readonly node: NodeFields | undefined;
  readonly host: BareMetalHost | undefined;
  readonly secret: KubeObject | undefined;
}

function nodeLines(journal: readonly Record<string, unknown>[]): NodeFields[] {
  return journal.flatMap(({ node }) => (node === undefined ? [] : [(node as { fields: NodeFields }).fields]));
}

/** From `manageable` a cleaning begins; what comes back to it was done by hand. */
function manualCleaningsIn(journal: readonly NodeFields[]): number {
  const begins = ({ provision_state, target_provision_state }: NodeFields, index: number) =>
    provision_state === 'cleaning' &&
    target_provision_state === 'manageable' &&
    !journal[index - 1]?.provision_state.startsWith('clean');
  return journal.filter(begins).length;
}

function isAtWork(node: NodeFields | undefined, { node: states, cleanStep }: Step): boolean {
  if (states === undefined) return true;
  return (
    states.includes(node?.target_power_state ?? node?.provision_state ?? '') &&
    (cleanStep === undefined || node?.clean_step.step === cleanStep)
  );
}

/** Arguments that keep the node in `clean wait`. */
function holding(folder: UpFolder, { cleansLonger }: Step): string[] {
  if (cleansLonger === undefined) return [];
  const rules = [{ slow: { state: 'clean wait', factor: cleansLonger } }];
  return ['--faults', folder.manifests('faults.yaml', [{ rules }])];
}

/** Leaves no process behind when it fails. */
async function within<T>(up: UpProcess, deeds: () => Promise<T>): Promise<T> {
  try {
    return await deeds();
  } catch (error) {
    await up.kill();
    throw error;
  }
}

/** A life in which the process is killed once in each of the states, and starts again on what it left on disk. */
async function live(
  folder: UpFolder,
  steps: readonly Step[],
  end: Deed,
  applied: readonly object[] = manifests,
): Promise<Lived> {
  const common = ['--data', folder.dataDir, '--phase-seconds', '3'];
  const file = folder.manifests('rack.yaml', applied);
  const kills: Killed[] = [];
  const journal: NodeFields[] = [];
  for (const [index, step] of steps.entries()) {
    const { state, deed } = step;
    const given = [...common, ...holding(folder, step)];
    const up = await UpProcess.start(index === 0 ? ['-f', file, ...given] : ['--empty', ...given], speed);
    await within(up, async () => {
      const seen = up.watch.until(watched, state, (host) => stateOf(host) === state);
      await Promise.all([seen, deed?.(up)]);
      await eventually(`${state} under way`, () => isAtWork(nodeLines(folder.ironicJournal()).at(-1), step));
    });
    const reached = stateOf(up.watch.get(watched));
    await up.kill();
    const lines = nodeLines(folder.ironicJournal());
    journal.push(...lines);
    kills.push({ state: reached, node: lines.at(-1) });
  }
  const up = await UpProcess.start(['--empty', ...common], speed);
  await within(up, () => end(up));
  const host = up.watch.get(watched);
  const secret = await up.watch.api.get(secretKind, { namespace: 'default', name: 'host-bmc' });
  expect(await up.end()).toBe(0);
  journal.push(...nodeLines(folder.ironicJournal()));
  const states = journal.map(({ provision_state }) => provision_state);
  return {
    kills,
    nodes: new Set(journal.map(({ uuid }) => uuid)),
    provisionStates: states.filter((each, index) => index === 0 || each !== states[index - 1]),
    manualCleanings: manualCleaningsIn(journal),
    node: journal.at(-1),
    host,
    secret,
  };
}

const upward: readonly Step[] = [
  { state: 'registering', node: ['verifying'] },
  { state: 'inspecting', node: ['inspecting', 'inspect wait'] },
  { state: 'preparing' },
  { state: 'available' },
  { state: 'provisioning', node: ['deploying', 'wait call-back'] },
  { state: 'provisioned', deed: settled },
  { state: 'deprovisioning', deed: otherImage, node: ['cleaning', 'clean wait'] },
];
const downward: readonly Step[] = [
  { state: 'deprovisioning', deed: deletion, node: ['deleting', 'cleaning', 'clean wait'] },
  { state: 'powering off before delete' },
  { state: 'deleting' },
];

/** Its volumes take work before it is available: the agent boots, and makes them. */
const volumes = [{ level: '1' as const, sizeGibibytes: 100 }];
const mirrored = manifests.map((manifest) =>
  manifest.kind === 'Secret'
    ? manifest
    : { ...manifest, spec: { ...manifest.spec, image: undefined, raid: { softwareRAIDVolumes: volumes } } },
);
const firstImage: Deed = (up) => up.watch.api.patch(hostKind, key, { spec: { image: image('first') } });
const laborious: readonly Step[] = [
  { state: 'preparing', node: ['clean wait'], cleanStep: 'delete_configuration', cleansLonger: 4 },
  { state: 'preparing', node: ['manageable'], cleansLonger: 4, orAlready: 'available' },
  { state: 'provisioning', deed: firstImage, node: ['active'], orAlready: 'provisioned' },
];

/** First without a BMC, and then the machine that others have provisioned. */
const bmc = { address: 'redfish://192.0.2.10/redfish/v1/Systems/1', credentialsName: 'host-bmc' };
const foreign = manifests.map((manifest) =>
  manifest.kind === 'Secret'
    ? manifest
    : { ...manifest, spec: { online: true, bootMACAddress: '02:00:00:00:00:01', externallyProvisioned: true } },
);
const sideways: readonly Step[] = [
  { state: 'unmanaged' },
  {
    state: 'externally provisioned',
    deed: (up) => up.watch.api.patch(hostKind, key, { spec: { bmc } }),
  },
];
const kept: Deed = (up) =>
  up.watch.until(
    watched,
    'externally provisioned and on',
    (host) => stateOf(host) === 'externally provisioned' && host?.status?.poweredOn === true,
  );

describe('a host whose operator is killed again and again', () => {
  const folders = [new UpFolder(), new UpFolder(), new UpFolder(), new UpFolder()] as const;
  let up: Promise<Lived>;
  let down: Promise<Lived>;
  let side: Promise<Lived>;
  let hard: Promise<Lived>;
  beforeAll(() => {
    up = live(folders[0], upward, settled);
    down = live(folders[1], downward, (process) => process.watch.until(watched, 'gone', (host) => host === undefined));
    // Each is waited for by its own tests.
    up.catch(() => undefined);
    down.catch(() => undefined);
    side = live(folders[2], sideways, kept, foreign);
    side.catch(() => undefined);
    hard = live(folders[3], laborious, settled, mirrored);
    hard.catch(() => undefined);
  });
  afterAll(() => folders.forEach((folder) => folder.remove()));

  it('goes on to what was wished, though it was killed in every state on the way', async () => {
    const { kills, host } = await up;
    expect(kills.map(({ state }) => state)).toEqual(upward.map(({ state }) => state));
    expect(host?.status).toMatchObject({ operationalStatus: 'OK', errorCount: 0, errorMessage: '' });
    expect(host?.status?.provisioning.image?.url).toBe(image('second').url);
  });

  it('has one node in Ironic, from its first day to its last', async () => {
    expect((await up).nodes.size).toBe(1);
    expect((await down).nodes.size).toBe(1);
  });

  it('is deployed once for each image and inspected once', async () => {
    const { provisionStates } = await up;
    // The agent is waited for twice in each deployment, once in each inspection.
    expect(provisionStates.filter((state) => state === 'deploying').length).toBe(3 * 2);
    expect(provisionStates.filter((state) => state === 'wait call-back').length).toBe(2 * 2);
    expect(provisionStates.filter((state) => state === 'inspect wait').length).toBe(1);
    expect(provisionStates.filter((state) => state === 'deleting').length).toBe(1);
  });

  it('has its volumes made once, though it was killed in the midst of that, and as each work was just done', async () => {
    const { kills, nodes, manualCleanings, provisionStates, node, host } = await hard;
    expect(kills.map(({ state }) => state)).toEqual(
      laborious.map(({ state, orAlready = state }) => expect.stringMatching(`^(${state}|${orAlready})$`)),
    );
    expect(kills[0]?.node).toMatchObject({ provision_state: 'clean wait', target_provision_state: 'manageable' });
    expect(nodes.size).toBe(1);
    expect(manualCleanings).toBe(1);
    expect(provisionStates.filter((state) => state === 'wait call-back').length).toBe(2);
    expect(provisionStates).not.toContain('deleting');
    expect(node).toMatchObject({ provision_state: 'active', raid_config: { logical_disks: [{ size_gb: 100 }] } });
    expect(host?.status).toMatchObject({ operationalStatus: 'OK', errorCount: 0, errorMessage: '' });
    expect(host?.status?.provisioning.raid?.softwareRAIDVolumes).toEqual([expect.objectContaining(volumes[0]!)]);
  });

  it('keeps its finalizers and those of its Secret', async () => {
    const { host, secret } = await up;
    expect(host?.metadata.finalizers).toEqual([finalizers.host]);
    expect(secret?.metadata.finalizers).toEqual([finalizers.secret]);
  });

  it('is gone in the end when it is deleted: from Ironic too, and so is its Secret', async () => {
    const { kills, provisionStates, secret, host } = await down;
    expect(kills.map(({ state }) => state)).toEqual(downward.map(({ state }) => state));
    expect(host).toBeUndefined();
    expect(secret).toBeUndefined();
    expect(provisionStates.filter((state) => state === 'wait call-back').length).toBe(2);
    expect(nodeLines(folders[1].ironicJournal().slice(-1))).toEqual([]);
  });

  it('is never touched where it has no BMC, or where others have provisioned it', async () => {
    const { kills, nodes, provisionStates, host } = await side;
    expect(kills.map(({ state }) => state)).toEqual(sideways.map(({ state }) => state));
    expect(nodes.size).toBe(1);
    expect(new Set(provisionStates)).toEqual(new Set(['enroll', 'verifying', 'manageable', 'adopting', 'active']));
    expect(host?.status).toMatchObject({ operationalStatus: 'OK', errorMessage: '' });
  });
});
