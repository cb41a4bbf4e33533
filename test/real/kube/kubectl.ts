/** kubectl's own commands against one server, and what they say with what no two servers have in common put out of sight. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Output {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export class Kubectl {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ironchart-kubectl-'));
  readonly #kubeconfig: string;
  readonly #running = new Set<ChildProcess>();

  constructor(kubeconfig: string) {
    this.#kubeconfig = this.file('kubeconfig', kubeconfig);
  }

  file(name: string, text: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  /** Runs one command; `input` goes to its standard input, `editor` is a shell script that gets a file's name. */
  run(args: readonly string[], { input = '', editor = 'false' } = {}): Promise<Output> {
    const script = this.file('editor', `#!/bin/sh\n${editor}\n`);
    chmodSync(script, 0o700);
    const child = this.#spawn(args, { KUBE_EDITOR: script });
    child.stdin?.end(input);
    return ended(child);
  }

  /** Follows a watch from its first line, through what happens meanwhile, to as many lines as are wanted. */
  async watch(args: readonly string[], count: number, meanwhile: () => Promise<unknown>): Promise<string> {
    const child = this.#spawn(args, {});
    let text = '';
    const lines = () => text.split('\n').length - 1;
    const reached = (wanted: number) =>
      new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`only this was seen: ${text}`)), 20_000);
        const look = () => {
          if (lines() < wanted) return;
          clearTimeout(timer);
          child.stdout?.off('data', look);
          resolve();
        };
        child.stdout?.on('data', look);
        look();
      });
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await reached(1);
    await meanwhile();
    await reached(count);
    child.kill('SIGKILL');
    await ended(child);
    return masked(text);
  }

  close(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(args: readonly string[], more: Record<string, string>): ChildProcess {
    const own = ['--kubeconfig', this.#kubeconfig, '--cache-dir', join(this.#folder, 'cache')];
    const child = spawn('kubectl', [...own, ...args], { env: { ...process.env, ...more }, stdio: 'pipe' });
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    return child;
  }
}

function ended(child: ChildProcess): Promise<Output> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve({ code: child.exitCode, out: '', err: '' });
  }
  const texts = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (texts.out += chunk.toString('utf8')));
  child.stderr?.on('data', (chunk: Buffer) => (texts.err += chunk.toString('utf8')));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out: masked(texts.out), err: masked(texts.err) }));
  });
}

/** Columns are as wide as their widest cell, an age among them: blanks count once. */
function masked(text: string): string {
  return (
    text
      // kubectl's own remark when its time is up in the first second of a watch.
      .replace(/^W\d{4} .* very short watch: .*\n/gm, '')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
      .replace(/(resourceVersion"?: ?|Resource Version: +)"?\d+"?/gi, '$1<version>')
      .replace(/\/tmp\/\S+?\/(?=[\w.-]+["\s])/g, '/tmp/')
      .replace(/kubectl-edit-\d+\.yaml/g, 'kubectl-edit.yaml')
      .replace(/(?<=\s|^)(\d+[ydhms])+(?=\s|$)/gm, '<age>')
      .replace(/^Age: .*$/gm, 'Age: <age>')
      .replace(/(^\* .*\n)+/gm, (bullets) => bullets.trimEnd().split('\n').sort().join('\n') + '\n')
      .replace(/[ \t]+$/gm, '')
      .replace(/(?<=\S) {2,}/g, '  ')
  );
}
