import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FleetDisplay } from '../../../src/cli/up/display.js';
import { HostReading } from '../../../src/cli/up/host-reading.js';
import { hardwareDataKind, hostKind } from '../../../src/controllers/host/index.js';
import { eventKind } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { image, TestPlant } from '../../support/plant.js';
import { UpFolder, UpProcess } from '../../support/up-process.js';

jest.setTimeout(120_000);

const canaries: string[] = [];
function canary(what: string): string {
  const text = `${what}-${randomBytes(12).toString('hex')}`;
  canaries.push(text);
  return text;
}

/** As itself, and within anything that was turned into base64, at each of the three ways in which it may lie there. */
function spellings(secret: string): string[] {
  const lying = [0, 1, 2].map((shift) => {
    const text = Buffer.from(`${' '.repeat(shift)}${secret}`)
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  return [secret, ...lying, encodeURIComponent(secret)];
}

function expectSecrecy(outputs: Record<string, string>): void {
  for (const [where, text] of Object.entries(outputs)) {
    expect([where, text.length > 0]).toEqual([where, true]);
    const told = canaries.filter((secret) => spellings(secret).some((spelling) => text.includes(spelling)));
    expect([where, told]).toEqual([where, []]);
  }
}

const good = {
  bmc: canary('bmc'),
  user: canary('user'),
  network: canary('network'),
  meta: canary('meta'),
  agent: canary('agent'),
};
const echoed = canary('echoed');
const guess = canary('guess');
const [broken, tagged, list] = [canary('broken'), canary('tagged'), canary('list')];
const refused = canary('refused');
const old = canary('old');

const faults = {
  rules: [
    { match: { name: 'wrong' }, credentials: { username: 'admin', password: canary('right') } },
    {
      match: { name: 'echoed' },
      fail: {
        step: 'verify',
        times: 1,
        text: `log-in as admin with ${echoed} failed; "${Buffer.from(echoed).toString('base64')}"`,
      },
    },
    { match: { name: 'deploys' }, fail: { step: 'deploy', times: 1, text: `agent: BMC took no ${old}` } },
  ],
  // Ironic repeats what it was given when it does not like it.
  api: [
    {
      match: { method: 'PATCH', path: '/v1/nodes/*' },
      times: 1,
      status: 400,
      text: `unsuitable: {"v": "${good.agent}", "redfish_password": "${refused}"}`,
    },
  ],
} as const;

const userData = { userData: { name: 'user-data' } };
/** Ironic takes network data with all of these only. */
const whole = { links: [], networks: [], services: [] };
const networkData = (name: string) => ({ networkData: { name } });

describe('secrets', () => {
  let plant: TestPlant;
  const errors: string[] = [];

  beforeAll(async () => {
    const warn = (warning: Error) => errors.push(`${warning.message} ${warning.stack ?? ''}`);
    process.on('warning', warn);
    plant = await TestPlant.start({ faults: { ...faults, rules: [...faults.rules] } as never });
    await plant.putSecret('user-data', { userData: `#cloud-config\npassword: ${good.user}` });
    await plant.putSecret('network-data', {
      networkData: JSON.stringify({ ...whole, links: [{ id: good.network, type: 'phy' }] }),
    });
    await plant.putSecret('meta-data', { metaData: `token: ${good.meta}` });
    await plant.putSecret('agent-data', {
      networkData: JSON.stringify({ ...whole, services: [{ address: good.agent }] }),
    });
    await plant.putSecret('broken-data', { networkData: `links: [ ${broken}: {` });
    await plant.putSecret('tagged-data', { networkData: `links: !vault ${tagged}` });
    await plant.putSecret('list-data', { networkData: `- ${list}` });
    await plant.add('refused', { password: refused, spec: { preprovisioningNetworkDataName: 'agent-data' } });
    await plant.until(
      'refused',
      'over the refusals',
      ({ status }) => (status?.errorCount ?? 0) > 0 || status?.provisioning.state === 'inspecting',
    );
    await plant.add('good', {
      password: good.bmc,
      spec: {
        ...userData,
        ...networkData('network-data'),
        metaData: { name: 'meta-data' },
        preprovisioningNetworkDataName: 'agent-data',
      },
    });
    await plant.add('wrong', { password: guess });
    await plant.add('echoed', { password: echoed });
    await plant.add('deploys', { password: old });
    for (const name of ['broken', 'tagged', 'list']) {
      await plant.add(name, { password: canary(name), spec: { ...userData, ...networkData(`${name}-data`) } });
    }
    await plant.settled('good');
    await plant.settled('tagged');
    await plant.fails('wrong', 'registration error');
    await eventually('an echo', () =>
      plant.versions('echoed').some(({ status }) => status?.errorType === 'registration error'),
    );
    await plant.fails('deploys', 'provisioning error');
    for (const name of ['broken', 'list']) {
      await plant.until(name, 'told', ({ status }) => /network data/.test(status?.lifecycle?.waitsFor ?? ''));
    }
    process.off('warning', warn);
  }, 60_000);
  afterAll(() => plant.stop());

  it('do reach those that they are for', () => {
    const node = plant.node('good');
    expect(node?.driver_info).toMatchObject({ redfish_password: good.bmc });
    expect(JSON.stringify(node?.network_data)).toContain(good.agent);
    expect(JSON.stringify(node?.instance_info)).toContain(good.user);
    expect(plant.node('echoed')?.last_error ?? plant.log.join('')).toBeDefined();
  });

  it('stay out of hosts, in every version of them, whatever went wrong', () => {
    expectSecrecy({
      hosts: JSON.stringify(plant.watch.all().flatMap(({ metadata }) => plant.versions(metadata.name ?? ''))),
    });
    const told = plant.versions('echoed').find(({ status }) => status?.errorType === 'registration error');
    expect(told?.status?.errorMessage).toContain('log-in as admin with *** failed');
    expect(plant.host('deploys').status?.errorMessage).toContain('BMC took no ***');
    const words = plant.versions('refused').map(({ status }) => status?.errorMessage ?? '');
    expect(words.join('\n')).toContain('unsuitable: {"v": "***", "redfish_password": "***"}');
  });

  it('stay out of events, hardware data, metrics, the kubeconfig and the log at its most talkative', async () => {
    const key = { namespace: 'default' };
    expectSecrecy({
      hosts: JSON.stringify((await plant.api.list(hostKind, key)).items),
      events: JSON.stringify((await plant.api.list(eventKind, key)).items),
      'hardware data': JSON.stringify((await plant.api.list(hardwareDataKind, key)).items),
      metrics: await plant.metrics.registry.metrics(),
      log: plant.log.join(''),
      kubeconfig: plant.kube.kubeconfig(),
      warnings: `none or some: ${errors.join('\n')}`,
      reports: JSON.stringify(plant.reports),
    });
  });

  it('stay out of the picture on the terminal', () => {
    let drawn = '';
    const screen = {
      isTerminal: true,
      size: () => ({ columns: 500, rows: 50 }),
      write: (text: string) => (drawn += text),
    };
    const display = new FleetDisplay(
      () => new HostReading(() => plant.operator.hosts.values()).hosts(),
      screen as never,
      plant.clock,
    );
    for (const report of plant.reports) display.note(report);
    display.start();
    display.stop();
    expect(drawn).toContain('default/echoed');
    expectSecrecy({ drawn });
  });

  it('stay out of what `up` says, while it works and when it fails', async () => {
    const folder = new UpFolder();
    const secret = (name: string, stringData: object) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      stringData,
    });
    const host = (name: string, last: number) => ({
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: { name },
      spec: {
        online: true,
        bootMACAddress: `02:00:00:00:00:0${last}`,
        bmc: { address: `redfish://192.0.2.${last}/redfish/v1/Systems/1`, credentialsName: `${name}-bmc` },
        image,
        ...userData,
        ...networkData('network-data'),
      },
    });
    const file = folder.manifests('rack.yaml', [
      secret('user-data', { userData: good.user }),
      // A tag that nobody knows is worth a warning to a parser of YAML.
      secret('network-data', { networkData: `links: !vault ${tagged}` }),
      secret('good-bmc', { username: 'admin', password: good.bmc }),
      secret('echoed-bmc', { username: 'admin', password: echoed }),
      host('good', 1),
      host('echoed', 2),
    ]);
    const faultFile = folder.file('faults.yaml', JSON.stringify({ rules: [faults.rules[1]] }));
    const up = await UpProcess.start(
      ['-f', file, '--faults', faultFile, '--log-level', 'debug', '--phase-seconds', '0.1'],
      20,
    );
    await up.watch.until('default/good', 'provisioned', (each) => each?.status?.provisioning.state === 'provisioned');
    await eventually('the failure is on the screen', () => up.texts().stdout.includes('registration error'));
    expect(await up.end()).toBe(0);
    const { stdout, stderr } = up.texts();
    folder.remove();
    expectSecrecy({ stdout, stderr });
  });
});
