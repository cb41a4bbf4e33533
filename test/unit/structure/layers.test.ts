import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../../..');

/** Which rooms a room may import, besides itself. The order is the order of the layers, lowest first. */
const mayImport: Record<string, string[]> = {
  'src/errors': [],
  'src/clock': [],
  'src/apis': [],
  'src/hardware': [],
  machines: ['src/apis'],
  'src/provisioner': ['src/apis', 'src/hardware', 'src/errors', 'src/clock'],
  'src/kube': ['src/errors', 'src/clock'],
  'src/config': ['src/provisioner', 'src/apis', 'src/errors', 'src/clock'],
  'src/observability': ['machines', 'src/errors', 'src/clock'],
  'src/embedded': ['src/errors', 'src/clock'],
  'src/controllers': ['machines', 'src/provisioner', 'src/kube', 'src/apis', 'src/hardware', 'src/errors', 'src/clock'],
  'src/webhooks': ['src/kube', 'src/apis', 'src/hardware', 'src/errors', 'src/clock'],
  'src/cli': [
    'src/controllers',
    'src/webhooks',
    'src/observability',
    'src/embedded',
    'src/config',
    'machines',
    'src/provisioner',
    'src/kube',
    'src/apis',
    'src/hardware',
    'src/errors',
    'src/clock',
  ],
};

/** Packages that only one room may use. Any other runtime package is listed with the rooms that need it. */
const packages: Record<string, string[]> = {
  re2js: ['src/controllers/host-claim'],
  xstate: ['machines', 'src/controllers', 'src/observability', 'src/cli'],
  zod: ['src/apis', 'src/config', 'src/embedded', 'src/provisioner', 'src/cli'],
  got: ['src/provisioner/ironic/client'],
  hpagent: ['src/provisioner/ironic/client'],
  '@kubernetes/client-node': ['src/kube'],
  pino: ['src/observability'],
  'prom-client': ['src/observability'],
  ws: ['src/observability'],
  yaml: ['src/kube', 'src/cli', 'src/embedded', 'src/provisioner'],
  'fast-json-patch': ['src/embedded'],
};

/** Siblings that know nothing of each other. */
const apart = [
  ['src/provisioner/ironic', 'src/provisioner/fixture'],
  ['src/provisioner/ironic', 'src/provisioner/demo'],
  ['src/provisioner/fixture', 'src/provisioner/ironic'],
  ['src/provisioner/demo', 'src/provisioner/ironic'],
  ['src/embedded/kube', 'src/embedded/ironic'],
  ['src/embedded/ironic', 'src/embedded/kube'],
];

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'machines' ? first : `${first}/${second.replace(/\.ts$/, '')}`;
}

interface Import {
  readonly file: string;
  readonly target: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g,
  );
  return [...found].map(([, fixed, lazy]) => ({ file, target: fixed ?? lazy ?? '' }));
}

const files = [...filesUnder('src'), ...filesUnder('machines')];
const imports = files.flatMap(importsOf);
const local = imports
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target }) => ({ file, target: relative(root, resolve(root, dirname(file), target)) }));
const foreign = imports.filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'));

describe('the layers', () => {
  it('finds the files and their imports', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(local.length).toBeGreaterThan(files.length);
  });

  it('lets every room import only what lies below it', () => {
    const upward = local.filter(({ file, target }) => {
      const [from, to] = [roomOf(file), roomOf(target.replace(/\.js$/, '.ts'))];
      return from !== to && !(mayImport[from] ?? []).includes(to);
    });
    expect(upward).toEqual([]);
  });

  it('keeps siblings apart', () => {
    const met = local.filter(({ file, target }) =>
      apart.some(([a, b]) => file.startsWith(`${a}/`) && target.startsWith(`${b}/`)),
    );
    expect(met).toEqual([]);
  });

  it('uses each package only where it belongs', () => {
    const strays = foreign.filter(({ file, target }) => {
      const name = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : (target.split('/')[0] ?? '');
      return !(packages[name] ?? []).some((room) => file.startsWith(`${room}/`) || file === `${room}.ts`);
    });
    expect(strays).toEqual([]);
  });

  it('reads the environment in src/config and in the command line alone', () => {
    const readers = files.filter((file) => /process\.env\b/.test(readFileSync(join(root, file), 'utf8')));
    expect(readers.filter((file) => !file.startsWith('src/config/') && file !== 'src/cli/main.ts')).toEqual([]);
  });

  it('has no room or file with a name that says nothing', () => {
    expect(files.filter((file) => /\b(utils?|helpers?|common|manager|misc)\b/.test(file))).toEqual([]);
  });

  it('keeps every file within its budget', () => {
    const lengths = files
      .map((file) => readFileSync(join(root, file), 'utf8').split('\n').length)
      .sort((a, b) => a - b);
    const quantile = (q: number) => lengths[Math.floor(q * (lengths.length - 1))];
    expect(lengths.at(-1)).toBeLessThanOrEqual(500);
    expect(quantile(0.9)).toBeLessThanOrEqual(300);
    expect(quantile(0.5)).toBeLessThanOrEqual(110);
  });
});
