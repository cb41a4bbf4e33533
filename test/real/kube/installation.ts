/** The chart as Helm renders it, applied to the cluster, and the operator of its Deployment as a process under its account. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import type { FaultHook } from '../../../src/embedded/kube/index.js';
import { eventually } from '../../support/eventually.js';
import type { Json } from '../../support/kube-api/client.js';
import { type Breakable, breakable } from './breakable.js';
import type { Cluster } from './cluster.js';

const root = resolve(import.meta.dirname, '../../..');

/** @param values as in the chart's values.yaml */
export function renderChart(namespace: string, values: object): Json[] {
  const helm = join(root, '.cache/helm/helm3');
  if (!existsSync(helm)) throw new Error('there is no Helm: `npm run helm` fetches it');
  const args = ['template', 'ironchart', join(root, 'charts/ironchart'), '--namespace', namespace, '--values', '-'];
  const text = execFileSync(helm, args, { input: stringify(values), encoding: 'utf8' });
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Json)
    .filter((object) => object !== null);
}

export class Installation {
  readonly manifests: readonly Json[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'ironchart-installation-'));
  #log = '';
  #proxy: Breakable | undefined;
  #process: ChildProcess | undefined;

  constructor(
    private readonly cluster: Cluster,
    readonly namespace: string,
    values: object,
  ) {
    this.manifests = renderChart(namespace, values);
    // Nothing leads from this API server to a Service: the webhooks are there, and are asked about nothing.
    for (const { webhooks = [] } of this.manifests) {
      for (const webhook of webhooks as Json[]) webhook.namespaceSelector = { matchLabels: { none: 'such' } };
    }
  }

  /** Lines of the operator's log. */
  get log(): string {
    return this.#log;
  }

  /** As the API server calls the account that the operator has. */
  get user(): string {
    return `system:serviceaccount:${this.namespace}:${this.#account}`;
  }

  get #account(): string {
    return this.#deployment.spec.template.spec.serviceAccountName as string;
  }

  get #deployment(): Json {
    return this.of('Deployment')[0];
  }

  of(...kinds: readonly string[]): Json[] {
    return this.manifests.filter(({ kind }) => kinds.includes(kind as string));
  }

  /** What the bindings give to its account, such as `patch baremetalhosts/status`, each once. */
  granted(): string[] {
    const bound = this.of('RoleBinding', 'ClusterRoleBinding').filter(({ subjects }) =>
      (subjects as Json[]).some(({ name, namespace }) => name === this.#account && namespace === this.namespace),
    );
    const rules = bound.flatMap(({ roleRef, metadata: { namespace } }) => {
      const isIt = ({ kind, metadata }: Json) =>
        kind === roleRef.kind && metadata.name === roleRef.name && (kind === 'ClusterRole' || metadata.namespace === namespace); // prettier-ignore
      return this.manifests.find(isIt).rules as Json[];
    });
    const all = rules.flatMap(({ resources, verbs }) =>
      (resources as string[]).flatMap((resource) => (verbs as string[]).map((verb) => `${verb} ${resource}`)),
    );
    return [...new Set(all)].sort();
  }

  apply(): void {
    this.#kubectl('apply', '--server-side');
  }

  async token(account = this.#account): Promise<string> {
    const path = `/api/v1/namespaces/${this.namespace}/serviceaccounts/${account}/token`;
    const { status, body } = await this.cluster.client.post(path, { spec: { expirationSeconds: 3600 } });
    if (status !== 201) throw new Error(`no token for ${account}: ${JSON.stringify(body)}`);
    return body.status.token as string;
  }

  /** Runs what the Deployment says. @param speed how many times faster than real time */
  async start(speed: number, fault: FaultHook): Promise<void> {
    this.#proxy = await breakable(this.cluster, fault, await this.token());
    const kubeconfig = join(this.#folder, 'kubeconfig');
    writeFileSync(kubeconfig, this.#proxy.kubeconfig);
    const [container] = this.#deployment.spec.template.spec.containers;
    const variables = (container.env as Json[]).map(({ name, value }) => [name, value ?? this.namespace] as const);
    const env = { PATH: process.env.PATH, FAST_TIME: String(speed), KUBECONFIG: kubeconfig };
    const preload = join(root, 'test/support/fast-time.mjs');
    const args = ['--import', preload, join(root, 'dist/src/cli/main.js'), ...(container.args as string[])];
    const child = spawn(process.execPath, args, {
      ...{ cwd: this.#folder, env: { ...env, ...Object.fromEntries(variables) } },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.on('data', (chunk: Buffer) => (this.#log += chunk.toString('utf8')));
    this.#process = child;
    await eventually('the operator works', () => {
      if (child.exitCode !== null) throw new Error(`the operator ended at once: ${this.#log}`);
      return this.#log.includes('the operator works');
    });
  }

  /** Ends the operator in order. @returns its exit code; null where it had to be killed */
  async end(): Promise<number | null> {
    const child = this.#process;
    if (child === undefined) throw new Error('it was not started');
    const code = await new Promise<number | null>((done) => {
      if (child.exitCode !== null) done(child.exitCode);
      child.once('close', (ended) => done(ended));
      child.kill('SIGTERM');
    });
    await this.#proxy?.stop();
    return code;
  }

  /** Takes away what was applied. */
  remove(): void {
    this.#process?.kill('SIGKILL');
    this.#kubectl('delete', '--wait=false', '--ignore-not-found');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #kubectl(...args: string[]): void {
    const input = this.manifests.map((object) => stringify(object)).join('---\n');
    const config = ['--kubeconfig', this.cluster.kubeconfigFile('admin')];
    execFileSync('kubectl', [...config, ...args, '-f', '-'], { input, encoding: 'utf8' });
  }
}
