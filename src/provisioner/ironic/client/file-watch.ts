/** Files that another program replaces while we run: read again when their time stamp or size changes. */
import { readFile, stat } from 'node:fs/promises';
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
      const { mtimeMs, size, ino } = await stat(this.path);
      const mark = `${mtimeMs}/${size}/${ino}`;
      if (this.#current?.mark !== mark) this.#current = { mark, text: await readFile(this.path, 'utf8') };
      return this.#current;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return (this.#current = undefined);
      throw unreadable(this.setting, this.path, error);
    }
  }
}

export async function directoryExists(path: string, setting: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw unreadable(setting, path, error);
  }
}

function unreadable(setting: string, path: string, error: unknown): InputError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new InputError(setting, `cannot read ${path} (${reason})`, 'let the operator read it, or remove it', {
    retry: 'backoff',
  });
}
