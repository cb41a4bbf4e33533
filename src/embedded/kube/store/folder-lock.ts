import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../../errors.js';

interface Holder {
  pid: number;
  /** When that process started, in the kernel's ticks; tells a reused pid from its earlier owner. Empty where unknown. */
  started: string;
}

const heldHere = new Set<string>();

/** When a process started; empty where that cannot be known, undefined when it has ended and only waits to be collected. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : (fields[19] ?? '');
  } catch {
    return '';
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function inUse(folder: string, holder: Holder): boolean {
  if (holder.pid === process.pid) return heldHere.has(folder);
  return lives(holder.pid) && startOf(holder.pid) === holder.started;
}

/**
 * Claims a folder for this process; returns the release. A claim of a process that is gone is taken over. Throws InputError
 * while a living process holds the folder.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'lock');
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) });
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = readHolder(file);
      if (attempt > 0 || (holder && inUse(folder, holder))) {
        throw new InputError(
          'dataDir',
          `${folder} is in use by process ${holder?.pid}`,
          'end it or take another folder',
        );
      }
      rmSync(file, { force: true });
    }
  }
  heldHere.add(folder);
  return () => {
    heldHere.delete(folder);
    rmSync(file, { force: true });
  };
}
