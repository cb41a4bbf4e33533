/**
 * The roles of the chart, as Helm renders them, under the operator that its Deployment runs, on an API server that holds to them
 * and guards owner references: nothing is refused, and nothing is granted that is not called.
 */
import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import { EmbeddedIronic } from '../../../src/embedded/ironic/index.js';
import { type KindRef, type KubeObject, secretKind, type SecretObject } from '../../../src/kube/index.js';
import { freePort } from '../../support/free-port.js';
import { eventually } from '../../support/eventually.js';
import { HostDesk } from '../../support/host-desk.js';
import { HostWatch } from '../../support/host-watch.js';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import { verdictOf } from '../../support/object-bench.js';
import { ScaledClock } from '../../support/scaled-clock.js';
import { Conflicts, endOfSchemas, rightsOfOwners, wholeLife } from '../../support/whole-life.js';
import { type AuditedRequest, Cluster } from './cluster.js';
import { Installation } from './installation.js';
import { clear } from './real-plant.js';

const cluster = Cluster.here();
/** See real-plant.ts. */
const speed = 8;
const secret = 'hunter2-of-the-switch';
const { hostClaim, hostDeployPolicy, bareMetalSwitch } = kinds;

function valuesFor(scope: string, watched: readonly string[], ironic: number, metricsPort: number, port: number) {
  return {
    rbac: { scope },
    watchNamespaces: scope === 'cluster' ? [] : watched,
    // Of the faster time.
    leaderElection: { leaseDurationSeconds: 150, renewDeadlineSeconds: 100, retryPeriodSeconds: 20 },
    ironic: {
      endpoint: `http://127.0.0.1:${ironic}/v1/`,
      buildAgentImages: true,
      deployKernelURL: 'http://images.example.com/kernel',
      deployRamdiskURL: 'http://images.example.com/initrd',
    },
    switches: { enabled: true },
    metrics: { port: metricsPort },
    webhooks: { port },
    health: { port: port + 1 },
  };
}

/** Status of the metrics for whoever shows the token. */
function metricsStatus(port: number, token: string | undefined): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const at = { host: '127.0.0.1', port, path: '/metrics', headers, agent: false, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const request = https.request(at, (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)));
    request.on('error', reject).end();
  });
}

/** Two claims for one host of another namespace, one after the other. @returns the claims in the order they had it */
async function claimsLife(desk: HostDesk, tenants: string): Promise<string[]> {
  const make = (kind: KindRef, place: object, spec: object) =>
    desk.api.create(kind, { apiVersion: 'metal3.io/v1alpha1', kind: kind.kind, metadata: { ...place }, spec } as never);
  await cluster.client.patch(`/api/v1/namespaces/${tenants}`, { metadata: { labels: { team: 'blue' } } });
  const hasLabels = [{ name: 'team', value: 'blue' }];
  await make(hostDeployPolicy, { namespace: desk.namespace, name: 'blue' }, { hostClaimNamespaces: { hasLabels } });
  const hostSelector = { matchLabels: { for: 'claims' } };
  for (const name of ['first', 'second']) {
    await make(hostClaim, { namespace: tenants, name }, { poweredOn: true, hostSelector });
  }
  await desk.addRedfish('free', { spec: { image: undefined }, labels: { for: 'claims' } });
  const had: string[] = [];
  const isNext = ({ name }: { name?: string | undefined } = {}) => name !== undefined && !had.includes(name);
  for (let round = 0; round < 2; round += 1) {
    const { spec } = await desk.until('free', 'taken', (host) => isNext(host.spec.consumerRef));
    const place = { namespace: tenants, name: spec.consumerRef?.name ?? '' };
    had.push(place.name);
    await eventually(`${place.name} is told`, async () => {
      const claim = await desk.api.get<KubeObject>(hostClaim, place);
      return verdictOf(claim, 'Associated') === 'True BareMetalHostAssociated';
    });
    await desk.api.delete(hostClaim, place);
    await eventually('its end', async () => (await desk.api.get(hostClaim, place)) === undefined);
  }
  await desk.until('free', 'free', ({ spec }) => spec.consumerRef === undefined);
  return had;
}

/** @returns what Ironic is told of the switch: the text of the two Secrets */
async function switchLife(desk: HostDesk): Promise<string[]> {
  const targets = ['metal3-switch-configs', 'metal3-switch-credentials'];
  for (const name of targets) await desk.putSecret(name, {});
  await desk.putSecret('login', { username: 'admin', 'ssh-privatekey': '', password: secret });
  const place = { namespace: desk.namespace, name: 'leaf' };
  await desk.api.create(bareMetalSwitch, {
    ...{ apiVersion: 'metal3.io/v1alpha1', kind: bareMetalSwitch.kind, metadata: place },
    spec: {
      ...{ address: '192.0.2.9', macAddress: '02:00:00:00:00:09', deviceType: 'netmiko_cisco_ios' },
      credentials: { name: 'login' },
    },
  });
  await eventually('the word of the switch', async () =>
    verdictOf(await desk.api.get<KubeObject>(bareMetalSwitch, place), 'Valid') === 'True Reconciled'); // prettier-ignore
  return Promise.all(
    targets.map(async (name) => {
      const found = await desk.api.get<SecretObject>(secretKind, { namespace: desk.namespace, name });
      return Object.values(found?.data ?? {})
        .map((data) => Buffer.from(String(data), 'base64').toString('utf8'))
        .join('');
    }),
  );
}

/** A Secret that is deleted in use stays until its host names another; the components of its host are a person's. */
async function leavingLife(desk: HostDesk): Promise<void> {
  await desk.companion('components', 'held', { spec: { updates: [] } });
  await desk.addRedfish('held', { spec: { image: undefined } });
  await desk.reaches('held', 'available');
  await desk.api.delete(secretKind, { namespace: desk.namespace, name: 'held-bmc' });
  await desk.events('held', 'SecretInUse');
  await desk.putSecret('held-new', { username: 'admin', password: 'right' });
  const { address } = desk.host('held').spec.bmc ?? {};
  await desk.change('held', { spec: { bmc: { address, credentialsName: 'held-new' } } });
  await eventually('the end of the Secret', async () => (await desk.secret('held-bmc')) === undefined);
}

describe.each(['cluster', 'namespaced'])('the roles of the chart with the scope %s', (scope) => {
  const [system, pool, tenants] = ['system', 'pool', 'tenants'].map((name) => `${scope}-${name}`) as [string, string, string]; // prettier-ignore
  const conflicts = new Conflicts(['hostclaims/', 'baremetalswitches/status']);
  const accounts = `/api/v1/namespaces/${system}/serviceaccounts`;
  const readers = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const desk = new HostDesk(pool);
  const ironic = new EmbeddedIronic({ clock: new ScaledClock(speed) });
  const count = (name: string, action: string) =>
    ironic.history().filter((entry) => entry.name === `${pool}~${name}` && entry.by === 'request' && entry.action === action).length; // prettier-ignore
  let installation: Installation;
  let requests: AuditedRequest[];
  let seen: { claims: string[]; told: string[]; statuses: Record<string, number>; exit: number | null };

  beforeAll(async () => {
    await cluster.define(chartCrds());
    for (const name of [system, pool, tenants]) await cluster.makeNamespace(name);
    const [metricsPort, port] = [await freePort(), await freePort()];
    const values = valuesFor(scope, [pool, tenants], (await ironic.start()).port, metricsPort, port);
    installation = new Installation(cluster, system, values);
    installation.apply();
    const role = `ironchart-${system}-metrics-reader`;
    for (const name of ['reader', 'stranger']) await cluster.client.post(accounts, { metadata: { name } });
    await cluster.client.post(readers, {
      metadata: { name: role },
      subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: system }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    });
    desk.watch = new HostWatch(cluster.kubeconfig('admin'), 60_000);
    await desk.watch.start();
    await installation.start(speed, conflicts.fault);
    const [claims, told] = await Promise.all([
      claimsLife(desk, tenants),
      switchLife(desk),
      leavingLife(desk),
      wholeLife(desk, count),
    ]);
    const statuses = {
      reader: await metricsStatus(metricsPort, await installation.token('reader')),
      stranger: await metricsStatus(metricsPort, await installation.token('stranger')),
      nobody: await metricsStatus(metricsPort, undefined),
      forged: await metricsStatus(metricsPort, `${await installation.token('reader')}x`),
    };
    for (const name of ['free', 'held']) {
      await desk.remove(name);
      await desk.gone(name);
    }
    await endOfSchemas(desk);
    seen = { claims, told, statuses, exit: await installation.end() };
    requests = cluster.audited(installation.user);
  }, 180_000);
  afterAll(async () => {
    await desk.watch?.stop();
    await ironic.stop();
    installation.remove();
    await cluster.client.delete(`${readers}/ironchart-${system}-metrics-reader`);
    for (const name of [pool, tenants, system]) await clear(cluster, name);
  }, 60_000);

  it('are enough: whatever the operator asks for is granted', () => {
    expect(requests.length).toBeGreaterThan(100);
    expect(requests.filter(({ code }) => code === 401 || code === 403)).toEqual([]);
    expect(seen.exit).toBe(0);
    expect([...conflicts.unmet]).toEqual([]);
  });

  it('are no more than it asks for', () => {
    const called = new Set(requests.map(({ verb, resource }) => `${verb} ${resource}`));
    // A namespace whose labels are followed is read by name only where they have not come yet.
    const seldom = scope === 'cluster' ? ['get namespaces'] : [];
    const unused = installation.granted().filter((right) => !called.has(right));
    expect(unused.filter((right) => !seldom.includes(right))).toEqual(rightsOfOwners.slice().sort());
  });

  it('are held to by the server: what they do not grant is forbidden', async () => {
    const account = cluster.as(installation.user);
    const hosts = `/apis/metal3.io/v1alpha1/namespaces/${pool}/baremetalhosts`;
    expect((await account.get(`/api/v1/namespaces/${pool}/configmaps`)).status).toBe(403);
    expect((await account.delete(`${hosts}/none`)).status).toBe(403);
    const everywhere = await account.get('/apis/metal3.io/v1alpha1/baremetalhosts');
    expect(everywhere.status).toBe(scope === 'cluster' ? 200 : 403);
  });

  it('let hosts be given to claims of another namespace, one claim after the other', () => {
    expect([...seen.claims].sort()).toEqual(['first', 'second']);
  });

  it('let both Secrets of switches be filled', () => {
    expect(seen.told).toEqual([expect.stringContaining('[switch:leaf]'), expect.anything()]);
    expect(seen.told.join()).toContain(secret);
    expect(installation.log).not.toContain(secret);
  });

  it('show the metrics to the account that has the role for them, to no other, and to nobody without a token', () => {
    expect(seen.statuses).toEqual({ reader: 200, stranger: 403, nobody: 401, forged: 401 });
  });

  if (scope === 'namespaced') {
    it('reach beyond the namespaces for what has none: reviews, its webhooks, and the two namespaces by name', () => {
      const beyond = requests.filter(({ namespace }) => namespace === '');
      expect([...new Set(beyond.map(({ verb, resource }) => `${verb} ${resource}`))].sort()).toEqual([
        'create subjectaccessreviews',
        'create tokenreviews',
        'get validatingwebhookconfigurations',
        'patch validatingwebhookconfigurations',
      ]);
      const read = requests.filter(({ resource }) => resource === 'namespaces');
      expect(new Set(read.map(({ verb, name }) => `${verb} ${name}`))).toEqual(new Set([`get ${tenants}`]));
    });
  }
});
