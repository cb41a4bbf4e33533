import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../../../src/embedded/kube/object.js';
import { lockFolder } from '../../../../src/embedded/kube/store/folder-lock.js';
import { Journal } from '../../../../src/embedded/kube/store/journal.js';

const object = (name: string, rv: number, text = ''): KubeObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name, uid: name, resourceVersion: String(rv), creationTimestamp: '' },
  text,
});

describe('the journal', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'journal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (compactBytes?: number) =>
    new Journal({ folder, onWarning: (text) => expect(text).toBe(''), compactBytes });
  const put = (journal: Journal, name: string, rv: number, text?: string) =>
    journal.append({
      rv,
      type: 'MODIFIED',
      resource: 'xs',
      key: name,
      object: object(name, rv, text),
      previous: undefined,
    });
  const size = () => readFileSync(join(folder, 'journal.jsonl')).length;

  it('keeps the last state of each object and the highest version', () => {
    const journal = open();
    put(journal, 'a', 2);
    put(journal, 'b', 3);
    put(journal, 'a', 4, 'new');
    journal.append({ rv: 5, type: 'DELETED', resource: 'xs', key: 'b', object: object('b', 5), previous: undefined });
    journal.close();
    const { content } = open();
    expect(content.resourceVersion).toBe(5);
    expect([...content.objects.get('xs')!.values()]).toEqual([object('a', 4, 'new')]);
  });

  it('shrinks to what is live once it has grown too long', () => {
    const journal = open(10_000);
    for (let rv = 2; rv < 500; rv += 1) put(journal, 'a', rv, 'x'.repeat(100));
    expect(size()).toBeLessThan(12_000);
    journal.close();
    expect(open().content.objects.get('xs')!.get('a')!.metadata.resourceVersion).toBe('499');
  });

  it('refuses a file of another format and lets the folder go', () => {
    writeFileSync(join(folder, 'journal.jsonl'), '{"journal":"other/9","rv":1}\n');
    expect(() => open()).toThrow(expect.objectContaining({ code: 'JOURNAL_FORMAT' }));
    expect(() => open()).toThrow(expect.objectContaining({ code: 'JOURNAL_FORMAT' }));
  });
});

describe('the lock of a folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('holds against this process too, until released', () => {
    const release = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    release();
    lockFolder(folder)();
  });

  it.each([
    ['a process that is gone', { pid: 2 ** 22 + 1, started: '' }],
    ['an earlier process of our own number', { pid: process.pid, started: '1' }],
    ['an earlier process of a number in use', { pid: process.ppid, started: '1' }],
  ])('is taken over from %s', (_, holder) => {
    writeFileSync(join(folder, 'lock'), JSON.stringify(holder));
    lockFolder(folder)();
  });

  it('holds while a living process has it', () => {
    // Where there is no such file, nothing tells a process from an earlier one of its number.
    const file = `/proc/${process.ppid}/stat`;
    const stat = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.ppid, started }));
    expect(() => lockFolder(folder)).toThrow(/in use by process/);
  });
});
