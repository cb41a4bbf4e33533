import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, messageOf } from '../../errors.js';
import type { NodeRecord } from './node-record.js';
import type { ChangeLog } from './node-store.js';
import type { PortRecord } from './port-record.js';

type Line = { node: NodeRecord } | { nodeDeleted: string } | { port: PortRecord } | { portDeleted: string };

export interface Contents {
  nodes: Map<string, NodeRecord>;
  ports: Map<string, PortRecord>;
}

const fileName = 'ironic.jsonl';
/** Lines after which the file is written anew while the server runs. */
const compactAfter = 50_000;

/**
 * The database on disk: one line of JSON for each change, written before the answer goes out, so that a killed process
 * loses nothing. It is rewritten to its present contents at each start. It holds BMC passwords: only its owner may read it.
 */
export class Journal implements ChangeLog {
  private handle: number | null = null;
  private lines = 0;
  private readonly path: string;

  constructor(
    private readonly dataDir: string,
    private readonly contents: () => { nodes: Iterable<NodeRecord>; ports: Iterable<PortRecord> },
    private readonly onWarning: (text: string) => void,
  ) {
    this.path = join(dataDir, fileName);
  }

  /** Reads what is there; creates the folder when it is missing. @throws InputError when the folder cannot be used */
  load(): Contents {
    try {
      mkdirSync(this.dataDir, { recursive: true, mode: 0o700 });
      return readLines(this.read(), this.onWarning);
    } catch (error) {
      throw new InputError('dataDir', `cannot use ${this.dataDir}: ${messageOf(error)}`, 'name a writable folder', {
        cause: error,
      });
    }
  }

  /** Writes the present contents to a new file and goes on with that one. */
  compact(): void {
    const next = `${this.path}.new`;
    const handle = openSync(next, 'w', 0o600);
    const { nodes, ports } = this.contents();
    for (const node of nodes) writeSync(handle, lineOf({ node }));
    for (const port of ports) writeSync(handle, lineOf({ port }));
    fsyncSync(handle);
    renameSync(next, this.path);
    this.close();
    this.handle = handle;
    this.lines = 0;
  }

  close(): void {
    if (this.handle !== null) closeSync(this.handle);
    this.handle = null;
  }

  /** Forgets everything. */
  clear(): void {
    if (this.handle === null) return;
    ftruncateSync(this.handle, 0);
    this.compact();
  }

  nodeSaved(node: NodeRecord): void {
    this.append({ node });
  }

  nodeDeleted(uuid: string): void {
    this.append({ nodeDeleted: uuid });
  }

  portSaved(port: PortRecord): void {
    this.append({ port });
  }

  portDeleted(uuid: string): void {
    this.append({ portDeleted: uuid });
  }

  private append(line: Line): void {
    if (this.handle === null) return;
    writeSync(this.handle, lineOf(line));
    this.lines += 1;
    if (this.lines >= compactAfter) this.compact();
  }

  private read(): string {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}

const lineOf = (line: Line): string => `${JSON.stringify(line)}\n`;

/** A last line without its end was being written when the process died: it never happened. */
function readLines(text: string, onWarning: (text: string) => void): Contents {
  const contents: Contents = { nodes: new Map(), ports: new Map() };
  const lines = text.split('\n');
  lines.pop();
  lines.forEach((line, index) => {
    try {
      apply(JSON.parse(line) as Line, contents);
    } catch {
      onWarning(`${fileName}: line ${index + 1} cannot be read and is left out`);
    }
  });
  return contents;
}

function apply(line: Line, { nodes, ports }: Contents): void {
  if ('node' in line) nodes.set(line.node.fields.uuid, line.node);
  else if ('port' in line) ports.set(line.port.fields.uuid, line.port);
  else if ('nodeDeleted' in line) nodes.delete(line.nodeDeleted);
  else ports.delete(line.portDeleted);
}

/** For a server without a folder. */
export const noJournal: ChangeLog = {
  nodeSaved: () => undefined,
  nodeDeleted: () => undefined,
  portSaved: () => undefined,
  portDeleted: () => undefined,
};
