import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { HostWatch } from './host-watch.js';

const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const fastTime = new URL('fast-time.mjs', import.meta.url).href;

export interface Ended {
  /** null: killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function launch(args: readonly string[], speed: number): Child {
  const env = { ...process.env, FAST_TIME: String(speed), NODE_OPTIONS: '' };
  return spawn(process.execPath, ['--import', fastTime, program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function collect(child: Child): () => { stdout: string; stderr: string } {
  const texts = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString('utf8')));
  return () => texts;
}

function exitOf(child: Child): Promise<number | null> {
  return new Promise((resolve) => child.once('close', (code) => resolve(code)));
}

export interface Running {
  /** What it has said so far. */
  readonly texts: () => { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Ended>;
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void;
}

/** Begins the command line. */
export function beginProgram(args: readonly string[], speed = 1): Running {
  const child = launch(args, speed);
  const texts = collect(child);
  const ended = exitOf(child).then((code) => ({ code, ...texts() }));
  return { texts, ended, signal: (name) => void child.kill(name) };
}

/** Runs the command line to its end. */
export function runProgram(args: readonly string[], speed = 1): Promise<Ended> {
  return beginProgram(args, speed).ended;
}

/** A folder with manifests, and the data of a run that is to be killed and to go on. */
export class UpFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'ironchart-test-'));

  file(name: string, text: string): string {
    const path = join(this.path, name);
    writeFileSync(path, text);
    return path;
  }

  manifests(name: string, objects: readonly object[]): string {
    return this.file(name, objects.map((object) => stringify(object)).join('---\n'));
  }

  get dataDir(): string {
    return join(this.path, 'data');
  }

  /** Lines of the embedded Ironic's database as they stand now. */
  ironicJournal(): Record<string, unknown>[] {
    const text = readFileSync(join(this.dataDir, 'ironic', 'ironic.jsonl'), 'utf8');
    // A last line without its end was being written when the process died.
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** `ironchart up` as a process of its own, in time that runs faster, watched through its API. */
export class UpProcess {
  private constructor(
    private readonly child: Child,
    private readonly exit: Promise<number | null>,
    readonly texts: () => { stdout: string; stderr: string },
    readonly watch: HostWatch,
  ) {}

  static async start(args: readonly string[], speed: number): Promise<UpProcess> {
    const child = launch(['up', ...args], speed);
    const texts = collect(child);
    const exit = exitOf(child);
    const kubeconfig = await new Promise<string>((resolve, reject) => {
      const look = () => {
        const path = /^export KUBECONFIG=(.+)$/m.exec(texts().stdout)?.[1];
        if (path !== undefined) resolve(readFileSync(path, 'utf8'));
      };
      child.stdout.on('data', look);
      child.once('close', (code) => reject(new Error(`it ended at once (${code}): ${texts().stderr}`)));
    });
    const watch = new HostWatch(kubeconfig, 30_000);
    await watch.start();
    return new UpProcess(child, exit, texts, watch);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** In the middle of whatever it does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
    await this.watch.stop();
  }

  /** Asked to end, as by Ctrl-C. */
  async end(): Promise<number | null> {
    this.child.kill('SIGINT');
    const code = await this.exit;
    await this.watch.stop();
    return code;
  }
}
