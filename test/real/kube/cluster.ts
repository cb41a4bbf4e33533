/** The control plane that with-cluster.sh has started for this run. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { KubeClient, type Json } from '../../support/kube-api/client.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** One line of the audit log. */
export interface AuditedRequest {
  readonly user: string;
  readonly verb: string;
  readonly resource: string;
  /** "": of no namespace. */
  readonly namespace: string;
  /** "": all of them, or one that is yet to have a name. */
  readonly name: string;
  readonly code: number;
}

type Program = 'kube-apiserver' | 'kube-controller-manager';

export class Cluster {
  readonly client: KubeClient;

  private constructor(readonly folder: string) {
    this.client = new KubeClient(this.read('url'), { authorization: `Bearer ${this.read('token')}` });
  }

  static here(): Cluster {
    const folder = process.env.IRONCHART_TEST_KUBE;
    if (folder === undefined)
      throw new Error('there is no control plane: run this with test/real/kube/with-cluster.sh');
    return new Cluster(folder);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8').trim();
  }

  /** Path of the kubeconfig of one of the administrators. */
  kubeconfigFile(user: 'admin' | 'operator'): string {
    return join(this.folder, `${user}.kubeconfig`);
  }

  kubeconfig(user: 'admin' | 'operator'): string {
    return readFileSync(this.kubeconfigFile(user), 'utf8');
  }

  /** A client that acts as somebody else. */
  as(user: string): KubeClient {
    return new KubeClient(this.client.url, { ...this.client.headers, 'impersonate-user': user });
  }

  /** A kubeconfig with a token. */
  kubeconfigFor(user: string, token: string): string {
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [
        {
          name: 'test',
          cluster: { server: this.read('url'), 'certificate-authority': join(this.folder, 'pki/ca.crt') },
        },
      ],
      users: [{ name: user, user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user } }],
    });
  }

  /** Makes definitions what is given, and waits until they are served. */
  async define(crds: readonly Json[]): Promise<void> {
    for (const crd of crds) {
      const { name } = crd.metadata;
      const known = await this.client.get(`${definitions}/${name}`);
      const { resourceVersion } = known.status === 200 ? known.body.metadata : { resourceVersion: undefined };
      const body = { ...crd, metadata: { ...crd.metadata, resourceVersion } };
      const answer =
        known.status === 200
          ? await this.client.put(`${definitions}/${name}`, body)
          : await this.client.post(definitions, body);
      if (answer.status > 201) throw new Error(`${name} was refused: ${JSON.stringify(answer.body)}`);
    }
    for (const crd of crds) await this.#served(crd);
    // The garbage collector looks for new kinds twice a minute, and at its start.
    await this.stop('kube-controller-manager');
    this.start('kube-controller-manager');
  }

  async #served({ metadata, spec }: Json): Promise<void> {
    await eventually(`${metadata.name} is established`, async () => {
      const { body } = await this.client.get(`${definitions}/${metadata.name}`);
      return body.status?.conditions?.some((one: Json) => one.type === 'Established' && one.status === 'True');
    });
    const [{ name: version }] = spec.versions;
    await eventually(`${metadata.name} is served`, async () => {
      const { status } = await this.client.get(`/apis/${spec.group}/${version}/${spec.names.plural}`);
      return status === 200;
    });
    // A definition that was replaced is described as before for a moment.
    const fieldsOf = (schema: Json) =>
      Object.keys(schema?.properties?.status?.properties ?? {})
        .sort()
        .join(' ');
    const wanted = fieldsOf(spec.versions[0].schema.openAPIV3Schema);
    await eventually(`${metadata.name} is described`, async () => {
      const { body } = await this.client.get(`/openapi/v3/apis/${spec.group}/${version}`);
      const described = Object.values((body.components?.schemas ?? {}) as Record<string, Json>).find((schema) =>
        schema['x-kubernetes-group-version-kind']?.some(({ kind }: Json) => kind === spec.names.kind),
      );
      return described !== undefined && fieldsOf(described) === wanted;
    });
  }

  async makeNamespace(name: string): Promise<void> {
    const { status } = await this.client.post('/api/v1/namespaces', { metadata: { name } });
    if (status !== 201) throw new Error(`namespace ${name} was not made: ${status}`);
  }

  /** Kills one of its processes; the data stay. */
  stop(name: Program): Promise<unknown> {
    const pid = Number(this.read(`${name}.pid`));
    const isThere = () => programOf(pid) === name;
    if (isThere()) process.kill(pid, 'SIGKILL');
    return eventually(`${name} has ended`, () => !isThere());
  }

  /** Starts it again as it was started first. */
  start(name: Program): void {
    const script = join(this.folder, `${name}.start`);
    const child = spawn('bash', [script], { detached: true, stdio: 'ignore', cwd: this.folder });
    child.unref();
    writeFileSync(join(this.folder, `${name}.pid`), `${child.pid}\n`);
  }

  /** Starts the API server again on the same data, and waits until it serves. */
  async startApi(): Promise<void> {
    this.start('kube-apiserver');
    const deadline = performance.now() + 45_000;
    const isReady = async () => (await this.client.get('/readyz').catch(() => undefined))?.status === 200;
    while (!(await isReady())) {
      if (performance.now() > deadline) throw new Error('the API server does not come back');
      await new Promise((resolve) => setTimeout(resolve, 100));
      // The system may hold the port of one that was killed for a moment longer, and the new one gives up then.
      if (programOf(Number(this.read('kube-apiserver.pid'))) === '') this.start('kube-apiserver');
    }
  }

  /** Lets etcd forget everything but the present, and the API server's own memory with it. */
  async forget(): Promise<void> {
    await this.stop('kube-apiserver');
    const etcd = this.read('etcd-url');
    const post = async (path: string, body: object): Promise<Json> => {
      const answer = await fetch(etcd + path, { method: 'POST', body: JSON.stringify(body) });
      if (answer.status !== 200) throw new Error(`etcd: ${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const { header } = await post('/v3/kv/range', { key: 'AA==' });
    await post('/v3/kv/compaction', { revision: header.revision, physical: true });
    await this.startApi();
  }

  audited(user: string): AuditedRequest[] {
    return readFileSync(join(this.folder, 'audit.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"username":"${user}"`))
      .map((line) => JSON.parse(line) as Json)
      .map(({ verb, objectRef = {}, responseStatus = {}, user: { username } }) => ({
        user: username,
        verb,
        resource:
          objectRef.subresource === undefined ? objectRef.resource : `${objectRef.resource}/${objectRef.subresource}`,
        namespace: objectRef.namespace ?? '',
        name: objectRef.name ?? '',
        code: responseStatus.code,
      }));
  }

  /** kubectl as the administrator; its output. @throws with what it says on standard error. */
  kubectl(...args: string[]): string {
    return execFileSync('kubectl', ['--kubeconfig', this.kubeconfigFile('admin'), ...args], { encoding: 'utf8' });
  }
}

/** Empty for a process that has ended. */
function programOf(pid: number): string {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
}
