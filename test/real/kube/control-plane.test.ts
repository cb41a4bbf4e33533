/** The scripts themselves: what they start, where it listens, and that it ends. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster } from './cluster.js';

const run = promisify(execFile);
const scripts = import.meta.dirname;
const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager'];
const here = Cluster.here();

function pidOf(folder: string, program: string): number {
  return Number(readFileSync(join(folder, `${program}.pid`), 'utf8'));
}

/** Ends with the process, whether or not its parent has looked. */
function isAlive(pid: number): boolean {
  try {
    readlinkSync(`/proc/${pid}/exe`);
    return true;
  } catch {
    return false;
  }
}

/** Addresses on which a process listens, in the kernel's notation: hexadecimal, the bytes of an IPv4 address backwards. */
function listening(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const inodes = readdirSync(folder).flatMap((handle) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, handle)))?.[1] ?? [];
    } catch {
      return [];
    }
  });
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.includes(inode ?? ''))
      .map(([, local = '']) => local.split(':')[0] ?? ''),
  );
}

describe('a control plane', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ironchart-kube-second.'));
  const up = () => run('bash', [join(scripts, 'up.sh'), folder]);
  const down = () => run('bash', [join(scripts, 'down.sh'), folder]);
  let first: number[];
  beforeAll(async () => {
    await up();
    first = programs.map((program) => pidOf(folder, program));
  });
  afterAll(async () => {
    await down();
    rmSync(folder, { recursive: true, force: true });
  });

  it('listens on loopback and nowhere else', () => {
    const addresses = programs.flatMap((program) => listening(pidOf(here.folder, program)));
    expect(addresses.length).toBeGreaterThanOrEqual(3);
    expect(new Set(addresses)).toEqual(new Set(['0100007F']));
  });

  it('stands beside another one, with ports and objects of its own', async () => {
    expect(readFileSync(join(folder, 'url'), 'utf8').trim()).not.toBe(here.client.url);
    expect(first.every(isAlive)).toBe(true);
    const kubectl = (...args: string[]) =>
      run('kubectl', ['--kubeconfig', join(folder, 'admin.kubeconfig'), ...args]).then(({ stdout }) => stdout);
    await kubectl('create', 'namespace', 'beside');
    expect((await here.client.get('/api/v1/namespaces/beside')).status).toBe(404);
    expect((await here.client.get('/readyz')).status).toBe(200);
  });

  it('begins anew in the folder of one that is still running, which ends', async () => {
    await up();
    expect(first.filter(isAlive)).toEqual([]);
    const second = programs.map((program) => pidOf(folder, program));
    expect(second.every(isAlive)).toBe(true);
    await down();
    expect(second.filter(isAlive)).toEqual([]);
    expect(readdirSync(folder).filter((name) => !name.endsWith('.log'))).not.toContain('pki');
    expect((await here.client.get('/readyz')).status).toBe(200);
  });
});
