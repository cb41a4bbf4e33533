/** kubectl's own commands, on the embedded API and on the real one: what they print is the same. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import { startEmbedded } from '../../support/kube-api/embedded-target.js';
import { exampleOf, type KindCase, kindCases } from '../../support/kube-api/own-kinds.js';
import { Cluster } from './cluster.js';
import { Kubectl, type Output } from './kubectl.js';

const ns = ['-n', 'kubectl'];

const host = (name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'metal3.io/v1alpha1',
  kind: 'BareMetalHost',
  metadata: { name, namespace: 'kubectl', ...metadata },
  spec: { online: true, bootMACAddress: '02:00:00:00:00:01', ...spec },
});

interface Command {
  readonly args: readonly string[];
  readonly input?: string;
  readonly editor?: string;
}

const run = (line: string, more: Partial<Command> = {}): Command => ({ args: line.split(' '), ...more });
const given = (line: string, object: object): Command => run(line, { input: stringify(object) });
const json = (line: string, patch: unknown): Command => ({ args: [...line.split(' '), JSON.stringify(patch)] });
const status = (name: string, patch: object) =>
  json(`patch bmh ${name} -n kubectl --subresource=status --type=merge -p`, { status: patch });

const provisioned = {
  provisioning: { state: 'provisioned', ID: 'x', image: { url: 'http://images.example.com/os' } },
  operationalStatus: 'OK',
  errorCount: 0,
  errorMessage: '',
  poweredOn: true,
  hardware: { hostname: 'h', ramMebibytes: 1024 },
  conditions: [
    { type: 'Ready', status: 'True', reason: 'Provisioned', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ],
};

/** What kubectl is asked about an object of each kind, by its plural, its kind and its short names. */
function ofKind(one: KindCase): Command[] {
  const { plural, kind, shortNames = [], field } = one;
  const object = exampleOf(one, 'kubectl');
  return [
    given('create -f - --dry-run=server -o yaml', object),
    given('apply -f -', object),
    given('apply -f -', object),
    run(`get ${plural} example -n kubectl`),
    run(`get ${plural} example -n kubectl -o wide`),
    run(`get ${plural} example -n kubectl -o yaml`),
    ...[kind, kind.toLowerCase(), ...shortNames].map((name) => run(`get ${name} example -n kubectl -o name`)),
    run(`explain ${plural}`),
    run(`explain ${plural}.spec.${field}`),
    run(`explain ${plural} --recursive`),
    run(`describe ${plural} example -n kubectl`),
    run(`delete ${plural} example -n kubectl`),
    run(`get ${plural} example -n kubectl`),
  ];
}

const commands: readonly Command[] = [
  run('create namespace kubectl'),
  run('create namespace kubectl'),
  run('get namespace kubectl'),
  given('create -f -', host('a')),
  given('create -f -', host('a')),
  given('create -f - --dry-run=server', host('dry')),
  given('create -f - --dry-run=client -o yaml', host('dry')),
  given('create -f -', host('bad', { online: 'yes' })),
  given('create -f - --validate=false', host('bad', { online: 'yes' })),
  given('create -f -', host('odd', { strange: 1 })),
  given('create -f - --validate=warn', host('odd', { strange: 1 })),
  given('create -f - --validate=ignore', host('ignored', { strange: 1 })),
  given('apply -f -', host('b', { description: 'one' })),
  given('apply -f -', host('b', { description: 'one' })),
  given('apply -f -', host('b', { description: 'two' })),
  given('apply -f - --dry-run=server', host('b', { description: 'three' })),
  given('apply -f - --dry-run=client', host('b', { description: 'three' })),
  given('diff -f -', host('b', { description: 'two' })),
  given('apply -f -', host('a', { description: 'taken over' })),
  given('apply --server-side -f -', host('c', { description: 'one' })),
  given('apply --server-side -f -', host('c', { description: 'one' })),
  given('apply --server-side --field-manager=other -f -', host('c', { description: 'two' })),
  given('apply --server-side --field-manager=other --force-conflicts -f -', host('c', { description: 'two' })),
  given('apply --server-side --dry-run=server -f -', host('d')),
  given('apply --server-side -f -', host('b', { description: 'server-side' })),
  status('a', provisioned),
  status('b', { ...provisioned, errorType: 'registration error', errorMessage: 'no', operationalStatus: 'error' }),
  status('c', { provisioning: { state: 'melting' } }),
  run('get baremetalhosts', { args: ['get', 'baremetalhosts', ...ns] }),
  run('get bmh -n kubectl -o wide'),
  run('get bmh -A --field-selector metadata.namespace=kubectl'),
  run('get bmh -n kubectl --show-labels'),
  run('get bmh -n kubectl --no-headers'),
  run('get bmh -n kubectl -o name'),
  run('get bmh a -n kubectl -o yaml'),
  run('get bmh a -n kubectl -o yaml --show-managed-fields'),
  run('get bmh a -n kubectl -o json'),
  run('get bmh -n kubectl -o jsonpath={.items[*].status.provisioning.state}'),
  run('get bmh -n kubectl -o custom-columns=N:.metadata.name,S:.status.provisioning.state'),
  run('get bmh -n kubectl --sort-by=.spec.description'),
  run('get bmh -n kubectl --field-selector metadata.name=b'),
  run('get bmh -n kubectl --field-selector spec.online=true'),
  run('get bmh -n kubectl --chunk-size=1'),
  run('get bmh none -n kubectl'),
  run('get bmh -n nowhere'),
  run('get gizmos'),
  run('get --raw /apis/metal3.io/v1alpha1/namespaces/kubectl/baremetalhosts/none'),
  run('label bmh a -n kubectl rack=one'),
  run('label bmh a -n kubectl rack=two'),
  run('label bmh a -n kubectl rack=two --overwrite'),
  run('label bmh a -n kubectl rack=bad!value --overwrite'),
  run('get bmh -n kubectl -l rack'),
  run('get bmh -n kubectl -l rack=one'),
  run('get bmh -n kubectl -L rack'),
  run('annotate bmh a -n kubectl reboot.metal3.io='),
  run('annotate bmh a -n kubectl reboot.metal3.io-'),
  json('patch bmh a -n kubectl --type=merge -p', { spec: { description: 'patched' } }),
  json('patch bmh a -n kubectl --type=json -p', [{ op: 'replace', path: '/spec/online', value: false }]),
  json('patch bmh a -n kubectl --type=json -p', [{ op: 'test', path: '/spec/online', value: true }]),
  json('patch bmh a -n kubectl -p', { spec: {} }),
  json('patch bmh a -n kubectl --type=merge -p', { spec: { online: 'maybe' } }),
  json('patch bmh none -n kubectl --type=merge -p', { spec: {} }),
  run('edit bmh a -n kubectl', { editor: `sed -i 's/description: patched/description: edited/' "$1"` }),
  run('edit bmh a -n kubectl', { editor: 'true' }),
  run('get bmh a -n kubectl -o jsonpath={.spec.description}'),
  given('replace -f -', host('a', { description: 'replaced' })),
  run('describe bmh a -n kubectl'),
  run('explain bmh.spec.bmc'),
  run('explain bmh.spec.image.checksumType'),
  run('explain bmh.status.provisioning'),
  run('explain bmh.spec.none'),
  run('explain bmh.spec.raid --recursive'),
  run('api-resources --api-group=metal3.io'),
  run('api-resources --api-group=metal3.io -o wide'),
  run('api-resources --api-group=apiextensions.k8s.io'),
  run('auth can-i create bmh'),
  run('wait bmh/a -n kubectl --for=jsonpath={.status.provisioning.state}=provisioned --timeout=5s'),
  run('wait bmh/a -n kubectl --for=condition=Ready --timeout=5s'),
  run('wait bmh/a -n kubectl --for=jsonpath={.status.provisioning.state}=available --timeout=1s'),
  run('create secret generic bmc -n kubectl --from-literal=password=p'),
  run('get secret bmc -n kubectl'),
  run('describe secret bmc -n kubectl'),
  run('create configmap settings -n kubectl --from-literal=a=1'),
  run('get configmap settings -n kubectl'),
  run('describe configmap settings -n kubectl'),
  given('create -f -', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'a.1', namespace: 'kubectl' },
    involvedObject: { apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', name: 'a', namespace: 'kubectl' },
    reason: 'Registered',
    message: 'Registered the host',
    type: 'Normal',
    count: 1,
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    source: { component: 'kubectl-test' },
  }),
  run('events -n kubectl --for bmh/a'),
  run('get events -n kubectl --field-selector involvedObject.name=a'),
  run('get crd baremetalhosts.metal3.io'),
  ...kindCases.flatMap(ofKind),
  run('delete bmh c -n kubectl'),
  run('delete bmh c -n kubectl'),
  run('delete bmh c -n kubectl --ignore-not-found'),
  json('patch bmh b -n kubectl --type=merge -p', { metadata: { finalizers: ['example.com/hold'] } }),
  run('delete bmh b -n kubectl --wait=false'),
  run('wait bmh/b -n kubectl --for=delete --timeout=1s'),
  json('patch bmh b -n kubectl --type=merge -p', { metadata: { finalizers: null } }),
  run('wait bmh/b -n kubectl --for=delete --timeout=5s'),
  run('delete bmh -n kubectl -l rack=two --dry-run=server'),
  run('delete bmh -n kubectl -l rack=two'),
  run('delete bmh --all -n kubectl --cascade=foreground'),
  run('get bmh -n kubectl'),
];

/** Every command in order, then a watch. */
async function script(kubectl: Kubectl): Promise<{ outputs: Output[]; watched: string }> {
  const outputs: Output[] = [];
  for (const { args, input, editor } of commands) outputs.push(await kubectl.run(args, { input, editor }));
  await kubectl.run(['create', '-f', '-'], { input: stringify(host('seen')) });
  const watched = await kubectl.watch(['get', 'bmh', '-n', 'kubectl', '-w'], 4, async () => {
    await kubectl.run(status('seen', provisioned).args);
    await kubectl.run(['delete', 'bmh', 'seen', '-n', 'kubectl']);
  });
  return { outputs, watched };
}

/** Each server explains what all objects have in words of its own. */
function inNoWords(output: Output | undefined): Output | undefined {
  const words = /^( {2}(?:apiVersion|kind|metadata)\t<\w+>\n)(?: {4}\S.*\n)+/gm;
  return output && { ...output, out: output.out.replace(words, '$1') };
}

describe('kubectl', () => {
  let embedded: Awaited<ReturnType<typeof script>>;
  let real: Awaited<ReturnType<typeof script>>;
  beforeAll(async () => {
    const cluster = Cluster.here();
    await cluster.define(chartCrds());
    const target = await startEmbedded({ crds: chartCrds() });
    const two = [new Kubectl(target.server.kubeconfig()), new Kubectl(cluster.kubeconfig('admin'))] as const;
    try {
      [embedded, real] = await Promise.all([script(two[0]), script(two[1])]);
    } finally {
      for (const one of two) one.close();
      await target.stop();
    }
  }, 300_000);
  afterAll(async () => {
    await Cluster.here().client.delete('/api/v1/namespaces/kubectl');
  });

  it.each(commands.map(({ args }, index) => ({ line: args.join(' ').slice(0, 120), index })))(
    '$index: says the same of both: $line',
    ({ index }) => {
      expect(inNoWords(embedded.outputs[index])).toEqual(inNoWords(real.outputs[index]));
    },
  );

  it('does what it is told: most commands succeed, and those that should fail do', () => {
    const failed = real.outputs.filter(({ code }) => code !== 0).length;
    expect(failed).toBeGreaterThan(10);
    expect(failed).toBeLessThan(commands.length / 3);
  });

  it('follows a watch alike', () => {
    expect(embedded.watched).toEqual(real.watched);
    expect(real.watched).toContain('provisioned');
  });
});
