import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { customResourceDefinitions } from '../../../src/apis/index.js';
import { ironicConfig } from '../../../src/config/ironic.js';
import { guarded, pathOf, serviceNames } from '../../../src/webhooks/index.js';
import { pluginFolder } from '../../../src/config/run.js';
import { runCommand } from '../../../src/cli/run-command.js';

const root = resolve(import.meta.dirname, '../../..');
const chart = join(root, 'charts/ironchart');
const text = (path: string) => readFileSync(join(chart, path), 'utf8');
const yaml = (path: string) => parse(text(path)) as Record<string, unknown>;

interface Schema {
  readonly type?: string;
  readonly additionalProperties?: boolean | object;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
const schema = JSON.parse(text('values.schema.json')) as Schema;
const checked = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
const values = yaml('values.yaml');
const templates = readdirSync(join(chart, 'templates')).map((name) => text(`templates/${name}`));
const deployment = text('templates/deployment.yaml');

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** As Helm lays the values of a file over the defaults. */
function overlaid(base: Tree, over: Tree): Tree {
  const entries = Object.entries(over).map(([key, value]) => {
    const under = base[key];
    return [key, isTree(under) && isTree(value) ? overlaid(under, value) : value];
  });
  return { ...base, ...Object.fromEntries(entries) } as Tree;
}

/** `metrics.service.enabled` and the like, down to what the schema describes no further. */
function paths(node: Schema, prefix = ''): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) =>
    child.properties === undefined ? [`${prefix}${key}`] : paths(child, `${prefix}${key}.`),
  );
}

function at(tree: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((node, key) => (isTree(node) ? node[key] : undefined), tree);
}

describe('the values of the Helm chart', () => {
  it('satisfy their schema, as do the values of every example', () => {
    const examples = readdirSync(join(chart, 'ci')).filter((name) => name.endsWith('.yaml'));
    expect(examples.length).toBeGreaterThan(2);
    for (const over of [{}, ...examples.map((name) => yaml(`ci/${name}`))]) {
      expect(checked.safeParse(overlaid(values, over))).toMatchObject({ success: true });
    }
  });

  it.each([
    [{ replicas: '2' }],
    [{ ironik: {} }],
    [{ image: { repository: '' } }],
    [{ rbac: { scope: 'everything' } }],
    [{ ironic: { endpoint: 'http://user:secret@ironic/v1/' } }],
    [{ ironic: { endpoint: 'ironic:6385' } }],
    [{ metrics: { port: 70_000 } }],
    [{ logLevel: 'loud' }],
  ])('do not take %j', (over: Tree) => {
    expect(checked.safeParse(overlaid(values, over)).success).toBe(false);
  });

  it('are all described, all given a default, and all used', () => {
    const known = paths(schema).filter((path) => path !== 'global');
    expect(known.filter((path) => at(values, path) === undefined)).toEqual([]);
    expect(known.filter((path) => !templates.some((template) => template.includes(`.Values.${path}`)))).toEqual([]);
  });

  it('name nothing in a template that is no value', () => {
    const used = templates.flatMap((template) => [...template.matchAll(/\.Values\.([A-Za-z0-9.]+)/g)]);
    expect(used.length).toBeGreaterThan(40);
    expect(used.map(([, path = '']) => path).filter((path) => at(values, path) === undefined)).toEqual([]);
  });
});

describe('docs/takeover.md', () => {
  it('names values that there are, for variables and flags that the operator has', () => {
    const page = readFileSync(join(root, 'docs/takeover.md'), 'utf8');
    const rows = [...page.matchAll(/^ +\| (.*?) +\| (`.*?) +\|$/gm)];
    expect(rows.length).toBeGreaterThan(7);
    const words = (column: number) =>
      rows.flatMap((row) => [...row[column]!.matchAll(/`([^`*]+)`/g)].map(([, word = '']) => word));
    expect(words(2).filter((path) => at(values, path) === undefined)).toEqual([]);
    const sources = ['ironic.ts', 'run.ts', 'switches.ts', 'deploy-images.ts']
      .map((name) => readFileSync(join(root, 'src/config', name), 'utf8'))
      .join();
    const { flags } = runCommand({});
    const isKnown = (word: string) => (word.startsWith('--') ? word.slice(2) in flags : sources.includes(word));
    expect(words(1).filter((word) => !/^ironic-/.test(word) && !isKnown(word))).toEqual([]);
  });
});

describe('the Deployment of the Helm chart', () => {
  it('gives the operator only flags that it has', () => {
    const given = [...deployment.matchAll(/^ +- --([a-z-]+)/gm)].map(([, flag = '']) => flag);
    expect(given.length).toBeGreaterThan(8);
    const { flags } = runCommand({});
    expect(given.filter((flag) => !(flag in flags))).toEqual([]);
  });

  it('sets only variables that the operator reads', () => {
    const given = [...deployment.matchAll(/^ +- name: ([A-Z][A-Z0-9_]+)$/gm)].map(([, name = '']) => name);
    expect(given).toContain('IRONIC_ENDPOINT');
    const sources = ['ironic.ts', 'run.ts', 'switches.ts']
      .map((name) => readFileSync(join(root, 'src/config', name), 'utf8'))
      .join();
    expect(given.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
  });

  it('mounts what the operator looks for where it looks', () => {
    const { authDirectory, caFile, certificateFile, keyFile } = ironicConfig(
      { IRONIC_ENDPOINT: 'http://ironic/' },
      { imageBuilder: false },
    );
    const mounts = [...deployment.matchAll(/mountPath: (\S+)/g)].map(([, path]) => path);
    const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'));
    const { flags } = runCommand({});
    const certificates = [flags['webhook-cert-dir']?.default, flags['metrics-cert-dir']?.default];
    const others = [pluginFolder(undefined, {}), ...certificates];
    expect(mounts).toEqual([authDirectory, folderOf(caFile), folderOf(certificateFile), ...others]);
    expect(folderOf(keyFile)).toBe(folderOf(certificateFile));
  });

  it('probes what the operator answers', () => {
    const probed = [...deployment.matchAll(/path: (\/\S+)/g)].map(([, path]) => path);
    expect(probed).toEqual(['/healthz', '/readyz']);
  });
});

describe('the roles for people in the Helm chart', () => {
  it('are about every kind that is served, and its status where it has one', () => {
    const [, list = ''] = /define "ironchart.kinds" -}}\n(.*?)\n{{- end/s.exec(text('templates/_kinds.tpl')) ?? [];
    const served = customResourceDefinitions().map(({ spec: { names, versions } }) => [
      names.singular,
      { resource: names.plural, hasStatus: versions.some(({ subresources }) => subresources !== undefined) },
    ]);
    expect(served).toHaveLength(13);
    expect(parse(list)).toEqual(Object.fromEntries(served));
  });
});

describe('the webhooks of the Helm chart', () => {
  it('ask about the kinds and operations that there are rules for, at the paths that are served', () => {
    const [, list = ''] = /define "ironchart.guarded" -}}\n(.*?)\n{{- end/s.exec(text('templates/_guarded.tpl')) ?? [];
    const wanted = guarded.map(({ kind, operations }) => [
      kind.kind.toLowerCase(),
      { resource: kind.plural, operations: [...operations] },
    ]);
    expect(parse(list)).toEqual(Object.fromEntries(wanted));
    const template = text('templates/webhooks.yaml');
    const [, path = ''] = /path: (\S+)\{\{ \$singular \}\}/.exec(template) ?? [];
    expect(guarded.map((one) => `${path}${one.kind.kind.toLowerCase()}`)).toEqual(guarded.map(pathOf));
  });

  it('are called by the names that the operator makes its certificate for', () => {
    const template = text('templates/webhooks.yaml');
    const names = [...template.matchAll(/- {{ \$name }}\.{{ \.Release\.Namespace }}(\S*)/g)].map(
      ([, domain]) => domain,
    );
    expect(names).toEqual(serviceNames({ namespace: 'n', name: 's' }).map((each) => each.slice('s.n'.length)));
  });
});

describe('the Helm chart', () => {
  it('carries the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(yaml('Chart.yaml')).toMatchObject({ version, appVersion: version });
  });
});
