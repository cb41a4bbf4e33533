import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parse } from 'yaml';
import { kinds } from '../../../src/apis/index.js';
import { FixedImageProvider } from '../../../src/controllers/preprovisioning-image/index.js';
import { ClusterIronic } from '../../../src/controllers/ironic/index.js';
import { EmbeddedKubeServer } from '../../../src/embedded/kube/index.js';
import {
  AccessReviewer,
  HttpTransport,
  KubeApi,
  LeaderElector,
  parseKubeConfig,
  RateLimiter,
  type KindRef,
  type KubeObject,
} from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { OwnAuthority } from '../../../src/webhooks/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { TestPlant } from '../../support/plant.js';
import { Conflicts, endOfSchemas, rightsOfOwners, wholeLife } from '../../support/whole-life.js';

jest.setTimeout(60_000);

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const template = readFileSync(resolve(import.meta.dirname, '../../../charts/ironchart/templates/_rules.tpl'), 'utf8');

/** The rules stand in the chart as YAML between `define` and `end`; a name that depends on the release is told as `NAME`. */
function rulesOf(name: string): Rule[] {
  const [, text = ''] = new RegExp(`define "ironchart\\.${name}" -}}\n(.*?)\n{{- end`, 's').exec(template) ?? [];
  return parse(text.replace(/{{.*?}}/g, 'NAME')) as Rule[];
}

function granted(rules: readonly Rule[]): string[] {
  const all = rules.flatMap(({ resources, verbs }) =>
    resources.flatMap((each) => verbs.map((verb) => `${verb} ${each}`)),
  );
  return [...new Set(all)].sort();
}

const groups: Readonly<Record<string, string>> = {
  baremetalhosts: 'metal3.io',
  hardwaredata: 'metal3.io',
  hostfirmwaresettings: 'metal3.io',
  firmwareschemas: 'metal3.io',
  hostfirmwarecomponents: 'metal3.io',
  hostupdatepolicies: 'metal3.io',
  preprovisioningimages: 'metal3.io',
  baremetalswitches: 'metal3.io',
  dataimages: 'metal3.io',
  bmceventsubscriptions: 'metal3.io',
  hostclaims: 'metal3.io',
  hostdeploypolicies: 'metal3.io',
  namespaces: '',
  secrets: '',
  events: '',
  leases: 'coordination.k8s.io',
  ironics: 'ironic.metal3.io',
  tokenreviews: 'authentication.k8s.io',
  subjectaccessreviews: 'authorization.k8s.io',
  validatingwebhookconfigurations: 'admissionregistration.k8s.io',
};

/** Such as `patch baremetalhosts/status`, each once. */
async function calls(plant: TestPlant): Promise<string[]> {
  const metric = await plant.metrics.registry.getSingleMetric('ironchart_kube_requests_total')?.get();
  const made = (metric?.values ?? []).map(({ labels: { verb, resource } }) => `${verb} ${resource}`);
  return [...new Set(made)].sort();
}

it('names each resource with the group that serves it', () => {
  const names = [
    'hostRules',
    'claimRules',
    'claimNamespaceRules',
    'switchRules',
    'leaseRules',
    'ironicRules',
    'webhookSecretRules',
    'webhookConfigurationRules',
  ];
  const rules = names.flatMap(rulesOf);
  expect(rules.length).toBeGreaterThan(5);
  for (const { apiGroups, resources } of rules) {
    const serving = resources.map((resource) => groups[resource.split('/')[0] ?? '']);
    expect([...new Set(serving)]).toEqual(apiGroups);
  }
});

describe('the permissions of the operator', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    const images = { iso: '', kernel: 'http://i/kernel', ramdisk: 'http://i/initrd' };
    plant = await TestPlant.start({ buildsImages: true, imageProvider: new FixedImageProvider(() => images) });
  });
  afterAll(() => plant.stop());

  it('are what it calls in a whole life of a host, and what guarded owner references want', async () => {
    const conflicts = new Conflicts();
    plant.kubeFault = conflicts.fault;
    await wholeLife(plant, (name, action) => plant.count(name, action));
    await endOfSchemas(plant);
    await plant.operator.stop();
    const called = await calls(plant);
    await plant.startOperator();
    expect([...conflicts.unmet]).toEqual([]);
    // The components are the operator's own in this life; people may have made them too.
    const others = ['patch hostfirmwarecomponents'];
    expect(granted(rulesOf('hostRules'))).toEqual([...called, ...rightsOfOwners, ...others].sort());
  });
});

describe('the permissions to look after switches', () => {
  it('are what it takes beside those for hosts', async () => {
    const { bareMetalSwitch: kind } = kinds;
    const targets = { configsSecret: 'configs', credentialsSecret: 'keys', credentialsPath: '/keys' };
    const plant = await TestPlant.start({ switches: targets });
    try {
      // Its first change meets somebody who was sooner.
      let unmet = 1;
      plant.kubeFault = ({ verb, resource, subresource }) => {
        const isIt = verb === 'patch' && resource.startsWith(kind.plural) && subresource === 'status';
        return isIt && unmet-- > 0 ? { status: 409 } : undefined;
      };
      for (const name of ['configs', 'keys']) await plant.putSecret(name, {});
      await plant.putSecret('login', { username: 'u', password: 'p' });
      const place = { namespace: plant.namespace, name: 'switch' };
      await plant.api.create(kind, {
        ...{ apiVersion: 'metal3.io/v1alpha1', kind: kind.kind, metadata: place },
        spec: { address: 'a', macAddress: '02:00:00:00:01:01', deviceType: 'd', credentials: { name: 'login' } },
      });
      await eventually('the word of the switch', async () => {
        const object = await plant.api.get<KubeObject>(kind, place);
        return JSON.stringify(object).includes('Reconciled');
      });
      expect(unmet).toBeLessThan(1);
      const own = (await calls(plant)).filter((call) => / (baremetalswitches|secrets|events)/.test(call));
      const [forSwitches, forHosts] = [granted(rulesOf('switchRules')), granted(rulesOf('hostRules'))];
      expect(forSwitches).toEqual(own.filter((call) => call.includes('baremetalswitches')));
      expect(own.filter((call) => ![...forSwitches, ...forHosts].includes(call))).toEqual([]);
    } finally {
      await plant.stop();
    }
  });
});

describe('the permissions to give hosts to claims', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({ servesClaims: true });
  });
  afterAll(() => plant.stop());

  it('are what it calls in a whole life of a claim', async () => {
    let isUnmet = true;
    plant.kubeFault = ({ verb, resource, subresource }) => {
      const isClaim = verb === 'patch' && resource.startsWith('hostclaims') && subresource === '';
      if (!isClaim || !isUnmet) return undefined;
      isUnmet = false;
      return { status: 409 };
    };
    const place = { namespace: 'default', name: 'claim' };
    const make = (kind: KindRef, spec: object) =>
      plant.api.create(kind, { apiVersion: 'metal3.io/v1alpha1', kind: kind.kind, metadata: place, spec });
    await make(kinds.hostDeployPolicy, { hostClaimNamespaces: { names: ['default'] } });
    await make(kinds.hostClaim, { poweredOn: true });
    await plant.add('host', { spec: { image: undefined } });
    await plant.until('host', 'taken', ({ spec }) => spec.consumerRef?.name === 'claim');
    await eventually('it is told', async () => {
      const claim = await plant.api.get<KubeObject>(kinds.hostClaim, place);
      return (claim?.status as { bareMetalHost?: object } | undefined)?.bareMetalHost !== undefined;
    });
    await plant.api.delete(kinds.hostClaim, place);
    await eventually('its end', async () => (await plant.api.get(kinds.hostClaim, place)) === undefined);
    await plant.operator.stop();
    const metric = await plant.metrics.registry.getSingleMetric('ironchart_kube_requests_total')?.get();
    const calls = (metric?.values ?? []).map(({ labels: { verb, resource } }) => `${verb} ${resource}`);
    await plant.startOperator();
    const ofClaims = calls.filter((call) => / (hostclaims|hostdeploypolicies|namespaces)/.test(call));
    // A namespace is read by name where its labels are not followed, or have not come yet.
    expect(granted([...rulesOf('claimRules'), ...rulesOf('claimNamespaceRules')])).toEqual(
      [...new Set([...ofClaims, 'get namespaces'])].sort(),
    );
    const forHosts = granted(rulesOf('hostRules'));
    expect(calls.filter((call) => !ofClaims.includes(call) && !forHosts.includes(call))).toEqual([]);
  });
});

describe('the permissions of the leader', () => {
  it('are what it calls to take, keep and give back its Lease', async () => {
    const clock = new FakeClock();
    const kube = new EmbeddedKubeServer({ crds: [], clock });
    await kube.start();
    const transport = new HttpTransport(parseKubeConfig(kube.kubeconfig(), clock), {
      clock,
      timeoutMs: 5_000,
      userAgent: 'test',
    });
    const calls = new Set<string>();
    const observer = {
      onRequest: (verb: string, { plural }: { plural: string }) => void calls.add(`${verb} ${plural}`),
    };
    const api = new KubeApi(transport, new RateLimiter(clock, 0, 0), 'test', () => true, observer);
    const options = { durationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
    const lease = { namespace: 'default', name: 'baremetal-operator' };
    const elector = new LeaderElector(api, clock, { next: () => 0 }, { ...options, lease, identity: 'one' });
    try {
      await elector.lead(() => undefined);
      await elector.release();
    } finally {
      transport.close();
      await kube.stop();
    }
    expect(granted(rulesOf('leaseRules'))).toEqual([...calls].sort());
    const named = rulesOf('leaseRules').filter(({ verbs }) => !verbs.includes('create'));
    expect(named.map(({ resourceNames }) => resourceNames)).toEqual([[lease.name]]);
  });
});

describe('the permissions to guard the metrics', () => {
  it('are what it takes to ask who shows a token, and what they may', async () => {
    const calls = new Set<string>();
    const create = <T extends KubeObject>({ group, plural }: KindRef): Promise<T> => {
      expect(groups[plural]).toBe(group);
      calls.add(`create ${plural}`);
      return Promise.resolve({ status: { authenticated: true, user: {}, allowed: true } } as unknown as T);
    };
    const reviewer = new AccessReviewer({ create }, new FakeClock(), () => undefined);
    expect(await reviewer.review({ authorization: 'Bearer t', verb: 'get', path: '/metrics' })).toBe(200);
    expect(granted(rulesOf('metricsRules'))).toEqual([...calls].sort());
  });
});

describe('the permissions to look for Ironic', () => {
  it('are what it takes to read its object and its Secrets', async () => {
    const calls = new Set<string>();
    const found = {
      metadata: { name: 'i', generation: 1 },
      spec: { apiCredentialsName: 'login', tls: { certificateName: 'cert' } },
      status: { conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }] },
      data: { username: 'dQ==', password: 'cA==' },
    };
    const get = <T extends KubeObject>({ group, plural }: KindRef): Promise<T> => {
      expect(groups[plural]).toBe(group);
      calls.add(`get ${plural}`);
      return Promise.resolve(found as unknown as T);
    };
    await new ClusterIronic({ get }, { namespace: 'n', name: 'i' }).read();
    expect(granted(rulesOf('ironicRules'))).toEqual([...calls].sort());
  });
});

describe('the permissions to have a certificate of our own', () => {
  it('are what it takes to keep it, and to have it trusted, by name alone', async () => {
    const calls = new Set<string>();
    const note = (verb: string, { group, plural }: KindRef) => {
      expect(groups[plural]).toBe(group);
      calls.add(`${verb} ${plural}`);
      return Promise.resolve({ metadata: { name: 'n' }, webhooks: [{ clientConfig: {} }] });
    };
    const api = {
      get: <T extends KubeObject>(kind: KindRef) => note('get', kind) as unknown as Promise<T>,
      patch: <T extends KubeObject>(kind: KindRef) => note('patch', kind) as unknown as Promise<T>,
    };
    const secret = { namespace: 'n', name: 's' };
    await new OwnAuthority(api, new FakeClock(), { secret, dnsNames: ['s.n.svc'], configuration: 'c' }).read();
    const rules = [...rulesOf('webhookSecretRules'), ...rulesOf('webhookConfigurationRules')];
    expect(granted(rules)).toEqual([...calls].sort());
    expect(rules.map(({ resourceNames }) => resourceNames)).toEqual([['NAME'], ['NAME']]);
  });
});
