/** Files that another program replaces while we run: read again when their time stamp or size changes. */
import { statSync, type Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { InputError } from '../../../errors.js';

/** Contents and a mark that changes with them; undefined when there is no such file. */
export interface FileVersion {
  readonly mark: string;
  readonly text: string;
}

export class ReloadedFile {
  #current: FileVersion | undefined;

  /** @param setting what a person calls the file, for the error. */
  constructor(
    readonly path: string,
    private readonly setting: string,
  ) {}

  /** @throws InputError when the file is there and cannot be read. */
  async read(): Promise<FileVersion | undefined> {
    try {
      const stats = look(this.path);
      if (stats === undefined) return (this.#current = undefined);
      const { mtimeMs, size, ino } = stats;
      const mark = `${mtimeMs}/${size}/${ino}`;
      if (this.#current?.mark !== mark) this.#current = { mark, text: await readFile(this.path, 'utf8') };
      return this.#current;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return (this.#current = undefined);
      throw unreadable(this.setting, this.path, error);
    }
  }
}

/** @throws InputError when that cannot be told. */
export function directoryExists(path: string, setting: string): boolean {
  try {
    return look(path)?.isDirectory() ?? false;
  } catch (error) {
    throw unreadable(setting, path, error);
  }
}

/**
 * Undefined: there is none. At once and not by a thread: before each request several of these are made, of files in memory, and a
 * thread's answer takes many times as long as the look itself.
 */
function look(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function unreadable(setting: string, path: string, error: unknown): InputError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new InputError(setting, `cannot read ${path} (${reason})`, 'let the operator read it, or remove it', {
    retry: 'backoff',
  });
}
