import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IronchartError } from '../../../errors.js';
import type { KubeObject } from '../object.js';
import { lockFolder } from './folder-lock.js';
import type { Change } from './history.js';
import { keyOfObject } from './store.js';

const FORMAT = 'ironchart-kube/1';

type Line =
  { journal: string; rv: number } | { put: string; object: KubeObject } | { del: string; key: string; rv: number };

export interface JournalContent {
  resourceVersion: number;
  /** store id -> key -> object */
  objects: Map<string, Map<string, KubeObject>>;
}

export interface JournalOptions {
  folder: string;
  onWarning: (text: string) => void;
  /** Bytes of changes after which the file is rewritten to what is live, when that is also four times the live size. */
  compactBytes?: number;
}

function parse(text: string, number: number, file: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch (cause) {
    const remedy = 'put back a copy of it, or move the folder away to begin anew';
    throw new IronchartError('JOURNAL_CORRUPT', `line ${number} of ${file} is not JSON; ${remedy}`, {
      cause,
      retry: 'never',
    });
  }
}

/**
 * An append-only file of changes, one JSON text a line, written before a change is visible: a killed process loses nothing that
 * it answered. The file holds secrets and is readable by its owner only. Opening it compacts it.
 */
export class Journal {
  readonly #file: string;
  readonly #content: JournalContent = { resourceVersion: 1, objects: new Map() };
  readonly #release: () => void;
  #fd: number;
  #written = 0;
  #liveBytes = 0;

  /** Throws InputError when the folder is in use, IronchartError `JOURNAL_CORRUPT` when a line before the last is broken. */
  constructor(private readonly options: JournalOptions) {
    this.#file = join(options.folder, 'journal.jsonl');
    this.#release = lockFolder(options.folder);
    try {
      this.#load();
      this.#fd = this.#rewrite();
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  get content(): JournalContent {
    return this.#content;
  }

  append(change: Change): void {
    const line: Line =
      change.type === 'DELETED'
        ? { del: change.resource, key: change.key, rv: change.rv }
        : { put: change.resource, object: change.object };
    this.#write(`${JSON.stringify(line)}\n`);
    this.#take(line);
    const limit = this.options.compactBytes ?? 64 * 2 ** 20;
    if (this.#written > limit && this.#written > 4 * this.#liveBytes) this.#compact();
  }

  close(): void {
    closeSync(this.#fd);
    this.#release();
  }

  /** A line that does not fit on the disk is taken back, so that the next one does not join its torn half. */
  #write(text: string): void {
    const before = this.#liveBytes + this.#written;
    try {
      writeFileSync(this.#fd, text);
    } catch (error) {
      ftruncateSync(this.#fd, before);
      throw error;
    }
    this.#written += Buffer.byteLength(text);
  }

  #load(): void {
    const lines = this.#read().split('\n');
    const last = lines.pop()!;
    if (last !== '') this.options.onWarning('the last line of the journal was not written to its end; it is left out');
    for (const [i, text] of lines.entries()) {
      const line = parse(text, i + 1, this.#file);
      if (i === 0) this.#checkFormat(line);
      this.#take(line);
    }
  }

  #read(): string {
    try {
      return readFileSync(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }

  #checkFormat(line: Line): void {
    if ('journal' in line && line.journal === FORMAT) return;
    const message = `${this.#file} is not a journal of format ${FORMAT}`;
    throw new IronchartError('JOURNAL_FORMAT', message, { retry: 'never' });
  }

  #take(line: Line): void {
    const content = this.#content;
    if ('journal' in line) content.resourceVersion = line.rv;
    else if ('del' in line) {
      content.objects.get(line.del)?.delete(line.key);
      content.resourceVersion = line.rv;
    } else {
      let shelf = content.objects.get(line.put);
      if (!shelf) content.objects.set(line.put, (shelf = new Map<string, KubeObject>()));
      shelf.set(keyOfObject(line.object), line.object);
      content.resourceVersion = Number(line.object.metadata.resourceVersion);
    }
  }

  #compact(): void {
    const old = this.#fd;
    this.#fd = this.#rewrite();
    closeSync(old);
  }

  /** Writes what is live to a new file and puts it in place of the old one; returns its descriptor, open for appending. */
  #rewrite(): number {
    const next = `${this.#file}.next`;
    const fd = openSync(next, 'a', 0o600);
    ftruncateSync(fd, 0);
    const { objects, resourceVersion } = this.#content;
    // The header comes first, so the highest resourceVersion must also be the last one that loading meets.
    const puts: Line[] = [...objects].flatMap(([put, shelf]) => [...shelf.values()].map((object) => ({ put, object })));
    const lines: Line[] = [{ journal: FORMAT, rv: resourceVersion }, ...puts, { journal: FORMAT, rv: resourceVersion }];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(fd, text);
    this.#liveBytes = Buffer.byteLength(text);
    fsyncSync(fd);
    renameSync(next, this.#file);
    this.#written = 0;
    return fd;
  }
}
