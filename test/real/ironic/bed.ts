/** A bed of a real Ironic that up.sh has started: where its servers are, and how to read, steer and disturb them. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '../../support/eventually.js';
import type { Json } from '../../support/kube-api/client.js';

const run = promisify(execFile);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What a test may change in an agent's behaviour: agent/machine.mjs says what each means. */
export interface Behaviour {
  readonly bootDelay?: number;
  readonly stepDelay?: number;
  readonly stepDelays?: Readonly<Record<string, number>>;
  readonly failSteps?: Readonly<Record<string, string>>;
  readonly failInspection?: string | null;
  readonly noBoot?: boolean;
  readonly noHeartbeat?: boolean;
  readonly inventory?: Readonly<Record<string, unknown>>;
}

export interface WrittenImage {
  readonly image: string;
  readonly checksum: string;
  readonly configDrive: unknown;
}

/** A machine as its agent knows it. */
export interface MachineView {
  readonly power: 'On' | 'Off' | null;
  readonly running: 'agent' | 'disk' | 'live image' | 'nothing';
  readonly disk: WrittenImage | null;
  readonly writes: readonly WrittenImage[];
  readonly history: readonly { readonly command: string; readonly step?: string }[];
  readonly boots: readonly string[];
}

export interface BedOptions {
  readonly auth?: 'noauth' | 'http_basic';
  readonly tls?: boolean;
  readonly systems?: number;
  /** Seconds, or `A,B`: random between them. */
  readonly fakeDelay?: string;
}

export interface BedAnswer {
  readonly status: number;
  readonly body: Json;
}

export type Program = 'ironic' | 'bmc' | 'agent' | 'web';

/** The newest microversion of this Ironic. */
const newest = '1.115';

export class Bed {
  private constructor(readonly folder: string) {}

  /** The one that with-ironic.sh has started for this run. */
  static here(): Bed {
    const folder = process.env.IRONCHART_TEST_IRONIC;
    if (folder === undefined) throw new Error('there is no Ironic: run this with test/real/ironic/with-ironic.sh');
    return new Bed(folder);
  }

  /** Another one beside it, which with-ironic.sh takes down too if the test does not. */
  static async start(name: string, options: BedOptions = {}): Promise<Bed> {
    const bed = new Bed(`${Bed.here().folder}.${name}`);
    await run('bash', [script('up.sh'), bed.folder], {
      env: {
        ...process.env,
        IRONCHART_IRONIC_AUTH: options.auth ?? 'noauth',
        IRONCHART_IRONIC_TLS: options.tls === true ? '1' : '',
        IRONCHART_IRONIC_SYSTEMS: String(options.systems ?? 64),
        IRONCHART_IRONIC_FAKE_DELAY: options.fakeDelay ?? '0',
      },
    });
    return bed;
  }

  async stop(): Promise<void> {
    await run('bash', [script('down.sh'), this.folder]);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8').trim();
  }

  /** Of the API, without a path. */
  get url(): string {
    return this.read('url');
  }

  /** As METAL3_AUTH_ROOT_DIR/ironic: there with basic auth only. */
  get authDirectory(): string {
    return join(this.folder, 'auth/ironic');
  }

  /** There with TLS only. */
  get caFile(): string {
    return join(this.folder, 'pki/ca.crt');
  }

  /** Headers of a client that may do all. */
  get authHeaders(): Record<string, string> {
    if (!existsSync(this.authDirectory)) return {};
    const text = `${this.read('auth/ironic/username')}:${this.read('auth/ironic/password')}`;
    return { authorization: `Basic ${Buffer.from(text).toString('base64')}` };
  }

  get bmcCredentials(): { readonly username: string; readonly password: string } {
    return { username: this.read('bmc-username'), password: this.read('bmc-password') };
  }

  /** What nodes are given to boot an agent from. */
  get agentImage(): { readonly kernel: string; readonly ramdisk: string } {
    const of = (name: string) => `file://${join(this.folder, 'http/images', name)}`;
    return { kernel: of('kernel'), ramdisk: of('ramdisk') };
  }

  /** One of the images that the web server has. */
  image(name: 'disk.raw' | 'other.raw' = 'disk.raw') {
    const content = readFileSync(join(this.folder, 'http/images', name));
    const checksum = createHash('sha256').update(content).digest('hex');
    return { url: `${this.read('web-url')}/images/${name}`, checksum, checksumType: 'sha256', format: 'raw' } as const;
  }

  /** Machine N, from 1. What it has lived through stays with its agent, so that no two tests should have the same one. */
  machine(number: number) {
    const digits = number.toString(16).padStart(12, '0');
    const uuid = `00000000-0000-4000-8000-${digits}`;
    const systemPath = `/redfish/v1/Systems/${uuid}`;
    const bmc = this.read('bmc-url');
    return {
      uuid,
      mac: `52:54:00:${digits.slice(8, 10)}:${digits.slice(10)}:00`,
      redfishAddress: bmc,
      systemPath,
      /** For spec.bmc.address. */
      address: `redfish-virtualmedia+${bmc}${systemPath}`,
    } as const;
  }

  async agent(number: number): Promise<MachineView> {
    const { body } = await ask(`${this.read('agent-url')}/machines/${this.machine(number).uuid}`);
    return body as MachineView;
  }

  /** Waits until a machine is like that. */
  async agentIs(number: number, what: string, accepts: (view: MachineView) => boolean): Promise<void> {
    await eventually(what, async () => accepts(await this.agent(number)));
  }

  async steer(number: number, behaviour: Behaviour): Promise<void> {
    await ask(`${this.read('agent-url')}/machines/${this.machine(number).uuid}`, { method: 'PUT', body: behaviour });
  }

  /** Everything as usual again. */
  async restore(number: number): Promise<void> {
    await ask(`${this.read('agent-url')}/machines/${this.machine(number).uuid}`, { method: 'DELETE' });
  }

  /** A request to Ironic in its newest version, such as `/v1/nodes`. */
  async request(method: string, path: string, body?: unknown): Promise<BedAnswer> {
    const headers = { ...this.authHeaders, 'x-openstack-ironic-api-version': newest };
    const ca = existsSync(this.caFile) ? readFileSync(this.caFile) : undefined;
    return ask(this.url + path, { method, headers, body, ca });
  }

  /** A node by name or identity; undefined: there is none. */
  async node(name: string): Promise<Json> {
    const { status, body } = await this.request('GET', `/v1/nodes/${encodeURIComponent(name)}`);
    if (status === 200) return body;
    if (status === 404) return undefined;
    throw new Error(`node ${name}: ${status} ${JSON.stringify(body)}`);
  }

  /** Waits until a node is in a state; the operator looks at a host that rests once a minute. Ironic has one processor: it is not asked too often. */
  async reaches(name: string, state: string, patienceMs = 120_000): Promise<Json> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const node = await this.node(name);
      if (node?.provision_state === state) return node;
      if (performance.now() > deadline) {
        throw new Error(`node ${name} is ${node?.provision_state}, not ${state}: ${node?.last_error}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Kills one of the programs with all its processes; what it keeps stays. */
  async halt(program: Program): Promise<void> {
    const group = Number(this.read(`${program}.pid`));
    await eventually(`${program} has ended`, () => {
      const running = membersOf(group, this.folder);
      for (const pid of running) process.kill(pid, 'SIGKILL');
      return running.length === 0;
    });
  }

  /** Starts it again as it was started first. */
  resume(program: Program): void {
    const options = { detached: true, stdio: 'ignore', cwd: this.folder } as const;
    const child = spawn('bash', [join(this.folder, `${program}.start`)], options);
    child.unref();
    writeFileSync(join(this.folder, `${program}.pid`), `${child.pid}\n`);
  }

  /** Starts Ironic again, and waits until it serves. */
  async resumeIronic(): Promise<void> {
    this.resume('ironic');
    const deadline = performance.now() + 60_000;
    const isReady = async () => {
      const answer = await this.request('GET', '/v1/drivers').catch(() => undefined);
      return answer?.status === 200 && answer.body.drivers.length > 0;
    };
    while (!(await isReady())) {
      if (performance.now() > deadline) throw new Error('Ironic does not come back');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Puts an empty database in place of what Ironic knows; it must not run. */
  emptyDatabase(): void {
    const path = (name: string) => join(this.folder, name);
    for (const name of readdirSync(this.folder)) if (name.startsWith('ironic.sqlite')) rmSync(path(name));
    copyFileSync(path('empty.sqlite'), path('ironic.sqlite'));
  }

  /** A new authority and certificate for Ironic's API, which it serves after its next start. */
  async rotateCertificates(): Promise<void> {
    await run('bash', [script('certify.sh'), join(this.folder, 'pki')]);
  }
}

interface Question {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly ca?: Buffer;
}

function ask(url: string, { method = 'GET', headers = {}, body, ca }: Question = {}): Promise<BedAnswer> {
  return new Promise((resolve, reject) => {
    const options = { method, ca, agent: false as const, headers: { 'content-type': 'application/json', ...headers } };
    const request = (url.startsWith('https:') ? https : http).request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode!, body: parsed(Buffer.concat(chunks)) }));
    });
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function parsed(content: Buffer): Json {
  const text = content.toString('utf8');
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The processes of a group that work in a folder: Ironic has two. */
function membersOf(group: number, folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return false;
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === group;
      } catch {
        return false;
      }
    })
    .map(Number);
}
