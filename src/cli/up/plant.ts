/** The two servers that `up` brings along, and what the operator needs to know to work with them. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { customResourceDefinitions } from '../../apis/index.js';
import type { Clock, Random } from '../../clock.js';
import { ironicConfig } from '../../config/ironic.js';
import { EmbeddedIronic, type FaultsInput, parseFaultYaml } from '../../embedded/ironic/index.js';
import { EmbeddedKubeServer } from '../../embedded/kube/index.js';
import { cannotListen, InputError, messageOf } from '../../errors.js';
import type { Log } from '../../observability/log.js';
import type { Metrics } from '../../observability/metrics.js';
import type { ProvisionerFactory } from '../../provisioner/index.js';
import type { IronicConfig } from '../../provisioner/ironic/index.js';
import type { HostView } from '../../webhooks/rules/index.js';
import { admission } from '../admission.js';
import { backEnd } from '../back-end.js';

/** What the machines of the embedded Ironic boot; it looks at the names alone. */
export const agentImages = {
  DEPLOY_KERNEL_URL: 'http://images.example.com/agent/kernel',
  DEPLOY_RAMDISK_URL: 'http://images.example.com/agent/ramdisk',
} as const;

export interface PlantOptions {
  readonly provisioner: string;
  readonly pluginFolder: string;
  /** Both servers keep their state here between runs; undefined: in memory alone. */
  readonly dataDir: string | undefined;
  readonly kubeconfigFile: string | undefined;
  readonly faultsFile: string | undefined;
  /** On loopback; 0: free ones. */
  readonly ports: { readonly kube: number; readonly ironic: number };
  readonly phaseSeconds: number;
  readonly provisioningLimit: string;
  /** Each host boots an agent image of its own. */
  readonly buildsImages: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
}

export class Plant {
  readonly kube: EmbeddedKubeServer;
  readonly ironic: EmbeddedIronic | undefined;
  /** What is known of the hosts, for the rules that compare them. */
  hosts: () => readonly HostView[] | undefined = () => undefined;
  kubeconfigPath = '';
  ironicUrl = '';
  readonly #options: PlantOptions;
  #scratch: string | undefined;

  /** @throws InputError for a faults file or a data folder that cannot be used. */
  constructor(options: PlantOptions) {
    this.#options = options;
    const { clock, random, dataDir, log, ports } = options;
    const onWarning = (warning: string) => log.warn({ warning }, 'an embedded server warns');
    const folder = (name: string) => (dataDir === undefined ? undefined : subfolder(dataDir, name));
    const faults = options.faultsFile === undefined ? undefined : readFaults(options.faultsFile);
    const crds = customResourceDefinitions() as unknown as Record<string, unknown>[];
    const admit = admission(() => this.hosts());
    const kube = { dataDir: folder('kube'), port: ports.kube };
    this.kube = new EmbeddedKubeServer({ crds, clock, random, onWarning, admit, ...kube });
    if (options.provisioner === 'ironic') {
      const phases = { phaseSeconds: options.phaseSeconds };
      const ironic = { dataDir: folder('ironic'), port: ports.ironic };
      this.ironic = new EmbeddedIronic({ clock, random, faults, phases, onWarning, ...ironic });
    } else if (ports.ironic !== 0) {
      throw new InputError('--ironic-port', `the provisioner ${options.provisioner} needs no Ironic`, 'leave it out');
    }
  }

  /** @throws InputError for a port that cannot be had, or a kubeconfig that cannot be written. */
  async start(): Promise<void> {
    await started('--kube-port', this.kube);
    if (this.ironic !== undefined) this.ironicUrl = (await started('--ironic-port', this.ironic)).url;
    this.kubeconfigPath = this.#writeKubeconfig();
  }

  provisioners(): Promise<ProvisionerFactory> {
    return backEnd(this.#options.provisioner, () => this.#ironicConfig(), this.#options);
  }

  #ironicConfig(): IronicConfig {
    const { buildsImages } = this.#options;
    const environment = {
      IRONIC_ENDPOINT: this.ironicUrl,
      ...(buildsImages ? {} : agentImages),
      PROVISIONING_LIMIT: this.#options.provisioningLimit,
    };
    return { ...ironicConfig(environment, { imageBuilder: buildsImages }), authDirectory: '', caFile: '' };
  }

  async stop(): Promise<void> {
    await this.ironic?.stop();
    await this.kube.stop();
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true });
  }

  #writeKubeconfig(): string {
    const { kubeconfigFile, dataDir } = this.#options;
    const path = resolve(kubeconfigFile ?? join(dataDir ?? this.#scratchFolder(), 'kubeconfig'));
    try {
      writeFileSync(path, this.kube.kubeconfig(), { mode: 0o600 });
    } catch (error) {
      throw new InputError('--kubeconfig', `${path} cannot be written: ${messageOf(error)}`, 'give a path that can');
    }
    return path;
  }

  #scratchFolder(): string {
    this.#scratch ??= mkdtempSync(join(tmpdir(), 'ironchart-'));
    return this.#scratch;
  }
}

/** @throws InputError if it is the port that is in the way */
async function started(flag: string, server: Plant['kube'] | EmbeddedIronic): Promise<{ readonly url: string }> {
  try {
    return await server.start();
  } catch (error) {
    const { syscall, port = 0 } = error as { syscall?: string; port?: number };
    if (syscall !== 'listen') throw error;
    throw cannotListen(flag, port, error, 'give another, or 0 for a free one');
  }
}

/** Whether an earlier run has left its objects in this data folder. */
export function hasRunBefore(dataDir: string | undefined): boolean {
  return dataDir !== undefined && existsSync(join(resolve(dataDir), 'kube'));
}

function subfolder(dataDir: string, name: string): string {
  const path = join(resolve(dataDir), name);
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new InputError('--data', `${path} cannot be made: ${messageOf(error)}`, 'give a folder that can be written');
  }
  return path;
}

function readFaults(file: string): FaultsInput {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError('--faults', `${file} cannot be read: ${messageOf(error)}`, 'give the path of a faults file');
  }
  return parseFaultYaml(text);
}
