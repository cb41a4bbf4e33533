/**
 * The admission server, asked by a real API server: the certificate of its own authority is trusted, refusals and warnings
 * arrive, and the embedded API server with the same rules answers word for word alike. Each case of the table is asked too.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customResourceDefinitions } from '../../../src/apis/index.js';
import { admission } from '../../../src/cli/admission.js';
import { SystemClock } from '../../../src/clock.js';
import { HttpTransport, KubeApi, loadKubeConfig, RateLimiter } from '../../../src/kube/index.js';
import { renewed } from '../../../src/webhooks/certificates/authority.js';
import { AdmissionServer, guarded, type HostView, OwnAuthority, pathOf } from '../../../src/webhooks/index.js';
import { admissionCasesSuite } from '../../component/webhooks/cases.suite.js';
import { caseNamespace } from '../../support/admission-cases/index.js';
import { host, objectOf, type Wish } from '../../support/admission.js';
import { eventually } from '../../support/eventually.js';
import { KubeClient } from '../../support/kube-api/client.js';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import { type EmbeddedTarget, startEmbedded } from '../../support/kube-api/embedded-target.js';
import { Cluster } from './cluster.js';

const namespace = 'webhooks';
const configuration = 'ironchart-test';
const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const base = `/apis/metal3.io/v1alpha1/namespaces/${namespace}`;
const cluster = Cluster.here();
/** Whose writes are not judged: the configuration leaves them out. */
const unjudged = 'nobody-judges';

const mac = 'aa:bb:cc:dd:ee:ff';
const image = { url: 'http://a/b', checksum: 'c', checksumType: 'md5' };
const inHere = (wish: Wish) => host({ namespace, ...wish });
const requests: [string, (client: KubeClient) => Promise<{ status: number; body: unknown; headers: Headers }>][] = [
  ['a good host', (client) => client.post(`${base}/baremetalhosts`, inHere({ spec: { bootMACAddress: mac } }))],
  ['a host with two faults', (client) => client.post(`${base}/baremetalhosts`, inHere({ name: 'b', spec: { firmware: {}, image: { url: 'x' } } }))],
  ['a host that its schema refuses too', (client) => client.post(`${base}/baremetalhosts`, inHere({ name: 'b', spec: { firmware: {}, bootMode: 'x' } }))],
  ['a host that is warned of', (client) => client.post(`${base}/baremetalhosts`, inHere({ name: 'c', spec: { image } }))],
  ['another boot MAC address', (client) => client.patch(`${base}/baremetalhosts/a`, { spec: { bootMACAddress: 'aa:bb:cc:dd:ee:00' } })],
  ['another description', (client) => client.patch(`${base}/baremetalhosts/a`, { spec: { description: 'x' } })],
  ['a subscription without a slash', (client) =>
    client.post(`${base}/bmceventsubscriptions`, objectOf('BMCEventSubscription', { namespace, spec: { hostName: 'a', destination: 'http://x' } }))],
  ['a data image of no URL', (client) => client.post(`${base}/dataimages`, objectOf('DataImage', { namespace, spec: { url: 'abc' } }))],
  ['firmware on a disk', (client) =>
    client.post(`${base}/hostfirmwarecomponents`, objectOf('HostFirmwareComponents', { namespace, spec: { updates: [{ component: 'bmc', url: 'file:///x' }] } }))],
  ['a claim by a bad selector', (client) =>
    client.post(`${base}/hostclaims`, objectOf('HostClaim', { namespace, spec: { poweredOn: true, hostSelector: { matchLabels: { '-a': 'b' } } } }))],
  ['an attachment', (client) => client.post(`${base}/hostnetworkattachments`, objectOf('HostNetworkAttachment', { namespace, spec: { nativeVLAN: 5 } }))],
  ['the deletion of an attachment in use', (client) => client.delete(`${base}/hostnetworkattachments/a`)],
]; // prettier-ignore

describe('webhooks on a real API server', () => {
  const clock = new SystemClock();
  let server: AdmissionServer;
  let transport: HttpTransport;
  let embedded: EmbeddedTarget;
  const networkInterfaces = [{ name: 'eth0', hostNetworkAttachment: { name: 'a' } }];
  const user: HostView[] = [inHere({ name: 'user', spec: { networkInterfaces } })];
  let hosts: readonly HostView[] | undefined = user;

  beforeAll(async () => {
    await cluster.define(chartCrds());
    await cluster.makeNamespace(namespace);
    await cluster.makeNamespace(caseNamespace);
    await cluster.client.post(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 'hooks' } });
    transport = new HttpTransport(await loadKubeConfig(cluster.kubeconfigFile('admin'), {}, clock), {
      clock,
      timeoutMs: 10_000,
      userAgent: 'test',
    });
    const api = new KubeApi(transport, new RateLimiter(clock, 0, 0), 'test');
    const authority = new OwnAuthority(api, clock, {
      secret: { namespace, name: 'hooks' },
      dnsNames: ['localhost'],
      configuration,
    });
    let isConfigured = false;
    const bootstrap = renewed(undefined, ['localhost'], clock.now());
    server = new AdmissionServer({
      ...{ port: 0, host: '127.0.0.1', tls: { minVersion: 'TLSv1.2' }, clock, hosts: () => hosts },
      // The port is known once it listens; the configuration that names it is there before it is trusted.
      certificates: { pollMs: 200, read: () => (isConfigured ? authority.read() : Promise.resolve(bootstrap)) },
    });
    await server.start();
    await configure(server.port);
    isConfigured = true;
    await eventually('the authority is trusted', async () => {
      const { body } = await cluster.client.get(`${configurations}/${configuration}`);
      return body.webhooks[0].clientConfig.caBundle !== undefined;
    });
    await eventually('the webhooks are asked', async () => {
      const refused = await cluster.client.post(
        `${base}/dataimages?dryRun=All`,
        objectOf('DataImage', { namespace, spec: { url: 'abc' } }),
      );
      return refused.status === 403;
    });
    embedded = await startEmbedded({ crds: customResourceDefinitions() as never, admit: admission(() => hosts) });
    await embedded.client.post('/api/v1/namespaces', { metadata: { name: namespace } });
  }, 60_000);

  afterAll(async () => {
    await cluster.client.delete(`${configurations}/${configuration}`);
    await server.stop();
    transport.close();
    await embedded.stop();
    for (const name of [namespace, caseNamespace]) await cluster.client.delete(`/api/v1/namespaces/${name}`);
  });

  async function configure(port: number): Promise<void> {
    const webhooks = guarded.map((one) => ({
      name: `${one.kind.kind.toLowerCase()}.metal3.io`,
      ...{ admissionReviewVersions: ['v1'], sideEffects: 'None', failurePolicy: 'Fail', timeoutSeconds: 5 },
      clientConfig: { url: `https://localhost:${port}${pathOf(one)}` },
      namespaceSelector: {
        matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: [namespace, caseNamespace] }],
      },
      matchConditions: [{ name: 'judged', expression: `request.userInfo.username != '${unjudged}'` }],
      rules: [
        {
          ...{ apiGroups: [one.kind.group], apiVersions: [one.kind.version] },
          ...{ resources: [one.kind.plural], operations: one.operations },
        },
      ],
    }));
    const { status, body } = await cluster.client.post(configurations, { metadata: { name: configuration }, webhooks });
    if (status !== 201) throw new Error(JSON.stringify(body));
  }

  /** What was deleted has another uid here and there. */
  const asked = (details: unknown) => ({ ...(details as object | undefined), uid: undefined });

  it.each(requests)('answers as the embedded one does to %s', async (_, request) => {
    const said = async (client: KubeClient) => {
      const { status, body, headers } = await request(client);
      const { reason, message, code, details } = body as Record<string, unknown>;
      return { status, reason, message, code, details: asked(details), warning: headers.get('warning') };
    };
    const real = await said(cluster.client);
    expect(real).toEqual(await said(embedded.client));
  });

  it('says by fields what is refused', async () => {
    const { body } = await cluster.client.post(`${base}/baremetalhosts`, inHere({ name: 'z', spec: { firmware: {} } }));
    expect(body.details.causes).toEqual([
      { reason: 'FieldValueInvalid', field: 'spec.firmware', message: expect.any(String) },
    ]);
  });

  it('lets the metadata of a host be changed that a rule would refuse', async () => {
    const path = `${base}/baremetalhosts/old`;
    const unguarded = `${configurations}/${configuration}`;
    const { body } = await cluster.client.get(unguarded);
    await cluster.client.delete(unguarded);
    const stored = inHere({ name: 'old', finalizers: ['example.com/kept'], spec: { firmware: {} } });
    await eventually(
      'nobody is asked',
      async () => (await cluster.client.post(`${base}/baremetalhosts`, stored)).status === 201,
    );
    const { webhooks } = body as { webhooks: object[] };
    await cluster.client.post(configurations, { metadata: { name: configuration }, webhooks });
    await eventually(
      'the webhooks are asked',
      async () => (await cluster.client.patch(`${path}?dryRun=All`, { spec: { description: 'x' } })).status === 403,
    );
    expect((await cluster.client.patch(path, { metadata: { finalizers: null } })).status).toBe(200);
    expect((await cluster.client.delete(path)).status).toBe(200);
  });

  describe('with every rule that there is', () => {
    const { url, headers } = cluster.client;
    const stranger = { 'impersonate-user': unjudged, 'impersonate-group': 'system:masters' };
    const beyondRules = new KubeClient(url, { ...headers, ...stranger });
    afterAll(() => void (hosts = user));

    admissionCasesSuite(() => ({
      client: cluster.client,
      know: (known) => void (hosts = known),
      unjudged: (write) => write(beyondRules),
    }));
  });
});
