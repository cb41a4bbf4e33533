import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { namedChart, picture, toMermaid } from '../../../machines/drawing/index.js';
import { chartCommand } from '../../../src/cli/chart.js';
import { crdsCommand } from '../../../src/cli/crds-command.js';
import { runCommand } from '../../../src/cli/run-command.js';
import { upCommand } from '../../../src/cli/up/command.js';
import { validateCommand } from '../../../src/cli/validate.js';
import { versionCommand } from '../../../src/cli/version.js';

const root = resolve(import.meta.dirname, '../../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = text('README.md');

const pages = ['.', 'docs', 'docs/adr'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** The table of rooms as the layer test has it, read from its text: there is one such table. */
function rooms(): Map<string, string[]> {
  const [, table = ''] = /const mayImport[^{]*\{(.*?)\n\};/s.exec(text('test/unit/structure/layers.test.ts')) ?? [];
  const rows = [...table.matchAll(/'?([\w/]+)'?:\s*\[([^\]]*)\]/g)];
  return new Map(
    rows.map(([, room = '', list = '']) => [room, [...list.matchAll(/'([^']+)'/g)].map(([, to = '']) => to)]),
  );
}

const leaves = ['src/errors', 'src/clock'];

function short(names: readonly string[]): string[] {
  const others = names.filter((name) => !leaves.includes(name)).map((name) => name.replace('src/', ''));
  return [...others, ...(names.some((name) => leaves.includes(name)) ? ['leaves'] : [])].sort();
}

describe('every page', () => {
  it('has its figures: no placeholder stands for one', () => {
    const holes = pages.flatMap((page) =>
      [...text(page).matchAll(/\|[^|\n`]*\b[0-9A-Z]+_[A-Z]\b[^|\n`]*\|/g)].map(([cell]) => [page, cell]),
    );
    expect(holes).toEqual([]);
  });
});

describe('README', () => {
  it('shows the lifecycle as `ironchart chart --format mermaid --region lifecycle --collapsed` draws it', () => {
    const [, shown] = /```mermaid\n(.*?)```/s.exec(readme) ?? [];
    expect(shown).toBe(toMermaid(picture(namedChart('host'), { region: 'lifecycle', isCollapsed: true })));
  });

  it('has each room with what it may import, as the layer test holds it', () => {
    const rows = [...readme.matchAll(/^\| `((?:src\/|machines)[\w/.]*)` *\|[^|]*\|([^|]*)\|$/gm)];
    const shown = rows.map(([, room = '', list = '']) => {
      const names = list.split(',').map((name) => name.trim());
      return [room.replace(/\.ts$/, ''), names.filter((name) => name !== '').sort()] as const;
    });
    const wanted = rooms();
    expect(wanted.size).toBeGreaterThan(10);
    expect(new Map(shown)).toEqual(new Map([...wanted].map(([room, names]) => [room, short(names)])));
  });

  it('gives the two commands that a newcomer needs', () => {
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
    for (const command of ['npm ci && npm start', 'npm ci && npm test']) expect(readme).toContain(`\n${command}\n`);
    const named = [...readme.matchAll(/`npm run ([\w:]+)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('docs/cli.md', () => {
  it('has every command with every flag, and no flag that is not there', () => {
    const commands = [upCommand, runCommand({}), crdsCommand, chartCommand, validateCommand, versionCommand];
    const page = text('docs/cli.md');
    expect(commands.filter(({ name }) => !page.includes(`\`${name}\``) && !page.includes(`\`${name} `))).toEqual([]);
    const known = new Set([...commands.flatMap(({ flags }) => Object.keys(flags)), 'help', 'name']);
    const named = new Set([...page.matchAll(/--([a-z][a-z-]*)/g)].map(([, flag = '']) => flag));
    expect([...named].filter((flag) => !known.has(flag))).toEqual([]);
    expect([...known].filter((flag) => !named.has(flag))).toEqual([]);
  });

  it('has the variables that the operator reads about Ironic', () => {
    const page = text('docs/cli.md');
    const read = [...text('src/config/ironic.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name = '']) => name);
    expect(read.length).toBeGreaterThan(10);
    expect(read.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the documents', () => {
  it.each(pages)('%s links to what is there', (page) => {
    const links = [...text(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
    const local = links.filter((to) => !/^[a-z]+:/.test(to));
    expect(local.filter((to) => !existsSync(resolve(root, dirname(page), to)))).toEqual([]);
  });

  it.each(pages)('%s names no file of the project that is not there', (page) => {
    const named = [...text(page).matchAll(/`((?:src|machines|test|docs|charts|scripts)\/[\w./-]+)`/g)];
    const paths = named.map(([, path = '']) => path).filter((path) => !path.includes('<'));
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('number the decisions without a gap', () => {
    const numbers = readdirSync(join(root, 'docs/adr')).map((name) => Number(name.slice(0, 4)));
    expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
    expect(numbers.length).toBeGreaterThan(4);
  });
});
