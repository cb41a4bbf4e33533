import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { image, type TestPlant } from '../../support/plant.js';
import { Cluster } from './cluster.js';
import { clear, startPlant } from './real-plant.js';

const namespace = 'permissions';
const cluster = Cluster.here();
const user = `system:serviceaccount:${namespace}:ironchart`;
const template = readFileSync(new URL('../../../charts/ironchart/templates/_rules.tpl', import.meta.url), 'utf8');

/** The rules stand in the chart as plain YAML between `define` and `end`. */
function rulesOf(name: string): unknown {
  const [, text] = new RegExp(`define "ironchart\\.${name}" -}}\n([^{]*){{- end`).exec(template) ?? [];
  if (text === undefined) throw new Error(`the chart has no ${name}`);
  return parse(text);
}

/** The account of the chart with its roles, bound as the chart binds them; resolves with a token. */
async function grant(): Promise<string> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const subjects = [{ kind: 'ServiceAccount', name: 'ironchart', namespace }];
  const refer = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name: 'ironchart' });
  const metadata = { name: 'ironchart' };
  const here = `${rbac}/namespaces/${namespace}`;
  const wishes: [string, object][] = [
    [`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata }],
    [`${rbac}/clusterroles`, { metadata, rules: rulesOf('hostRules') }],
    [`${rbac}/clusterrolebindings`, { metadata, subjects, roleRef: refer('ClusterRole') }],
    [`${here}/roles`, { metadata, rules: rulesOf('leaseRules') }],
    [`${here}/rolebindings`, { metadata, subjects, roleRef: refer('Role') }],
  ];
  for (const [path, body] of wishes) {
    const { status, body: answer } = await cluster.client.post(path, body);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }
  const tokens = `/api/v1/namespaces/${namespace}/serviceaccounts/ironchart/token`;
  return (await cluster.client.post(tokens, { spec: { expirationSeconds: 3600 } })).body.status.token as string;
}

describe('the rules of the chart', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    await cluster.makeNamespace(namespace);
    const operatorKubeconfig = cluster.kubeconfigFor('ironchart', await grant());
    plant = await startPlant(cluster, {
      namespace,
      hasNamespace: true,
      cluster: { operatorKubeconfig, watched: [] },
      leaderElection: {
        durationMs: 150_000,
        renewDeadlineMs: 100_000,
        retryPeriodMs: 20_000,
        lease: { namespace, name: 'baremetal-operator' },
        identity: 'permissions',
      },
    });
    await plant.add('life', { spec: { image: undefined } });
    await plant.reaches('life', 'available');
    await plant.annotate('life', { 'inspect.metal3.io': '' });
    await plant.until('life', 'a second inspection', () => plant.count('life', 'inspect') === 2);
    await plant.reaches('life', 'available');
    await plant.change('life', { spec: { image } });
    await plant.settled('life');
    await plant.annotate('life', { 'reboot.metal3.io': '' });
    await plant.until('life', 'off', ({ status }) => status?.poweredOn === false);
    await plant.settled('life');
    await plant.events('life', 'ProvisioningComplete');
    await plant.remove('life');
    await plant.gone('life');
    await plant.operator.stop();
  }, 120_000);
  afterAll(async () => {
    await plant.startOperator();
    await plant.stop();
    await clear(cluster, namespace);
    for (const plural of ['clusterroles', 'clusterrolebindings']) {
      await cluster.client.delete(`/apis/rbac.authorization.k8s.io/v1/${plural}/ironchart`);
    }
  });

  it('are enough for a whole life of a host, as leader: nothing is forbidden', () => {
    const requests = cluster.audited(user);
    expect(requests.length).toBeGreaterThan(30);
    expect(requests.filter(({ code }) => code === 403)).toEqual([]);
    const kinds = new Set(requests.map(({ verb, resource }) => `${verb} ${resource}`));
    for (const each of [
      'patch baremetalhosts/status',
      'create hardwaredata',
      'patch secrets',
      'create events',
      'patch leases',
    ]) {
      expect(kinds).toContain(each);
    }
  });

  it('are held to by the server: what they do not grant is forbidden', async () => {
    const account = cluster.as(user);
    expect((await account.get(`/api/v1/namespaces/${namespace}/configmaps`)).status).toBe(403);
    expect((await account.delete(`/apis/metal3.io/v1alpha1/namespaces/${namespace}/baremetalhosts/life`)).status).toBe(
      403,
    );
  });
});
