import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Ended, runProgram, UpFolder } from '../../support/up-process.js';

jest.setTimeout(120_000);

const folder = new UpFolder();
const good = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'host-bmc' },
  stringData: { username: 'a', password: 'b' },
};
const host = (spec: object) => ({
  apiVersion: 'metal3.io/v1alpha1',
  kind: 'BareMetalHost',
  metadata: { name: 'host' },
  spec,
});
const bad = folder.manifests('bad.yaml', [
  good,
  host({ online: 'maybe', bmc: { address: 'ipmi//192.0.2.10', credentialsName: 'host-bmc' }, colour: 'blue' }),
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'rack' } },
]);
const unknown = folder.manifests('unknown.yaml', [good, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod' } }]);
const garbled = folder.file('garbled.yaml', 'apiVersion: [\n');
const faults = folder.file('faults.yaml', 'rules:\n  - match: { name: x }\n    fail: { step: dance }\n');

/** Arguments; the exit code; what is said, each on standard output (exit code 1) or on standard error. */
const cases: [string, readonly string[], number, readonly RegExp[]][] = [
  [
    'validate tells every fault of a manifest with its file, document and field',
    ['validate', bad],
    1,
    [
      /bad\.yaml, document 1: .*: valid/,
      /bad\.yaml, document 3: Namespace rack: valid/,
      /bad\.yaml, document 2: .*spec\.online: .*boolean/,
      /bad\.yaml, document 2: .*spec\.colour: is no field/,
      /bad\.yaml, document 2: .*spec\.bmc\.address: .*ipmi\/\/192\.0\.2\.10/,
    ],
  ],
  [
    'up refuses such a manifest before it starts anything',
    ['up', '-f', bad],
    2,
    [/bad\.yaml, document 2: spec\.\w+/, /ironchart validate/],
  ],
  [
    'up refuses a kind that it does not serve',
    ['up', '-f', unknown],
    2,
    [/unknown\.yaml, document 2/, /Pod is no kind/],
  ],
  ['up refuses what is no YAML', ['up', '-f', garbled], 2, [/garbled\.yaml, document 1: is no YAML/]],
  ['up refuses a file that is not there', ['up', '-f', `${folder.path}/none.yaml`], 2, [/none\.yaml: cannot be read/]],
  [
    'up refuses faults that make no sense',
    ['up', '--empty', '--faults', faults],
    2,
    [/rules\.0\.fail.*step/, /docs\/faults\.md/],
  ],
  [
    'an unknown flag is refused with the way to the known ones',
    ['up', '--untli', 'provisioned'],
    2,
    [/--untli/, /ironchart up --help/],
  ],
  [
    'a kubeconfig that cannot be written ends it at once, whatever runs already',
    ['up', '--empty', '--kubeconfig', tmpdir()],
    2,
    [/--kubeconfig: .* cannot be written/],
  ],
  [
    'definitions that cannot be written down are refused with the folder',
    ['crds', '--out', `${garbled}/crds`],
    2,
    [/--out: .*garbled\.yaml\/crds cannot be written: .*; give a folder that can/],
  ],
  ['an unknown command is refused with the known ones', ['upp'], 2, [/"upp" is none of up, run/]],
];

describe('the command line', () => {
  let ended: Ended[];
  beforeAll(async () => {
    ended = await Promise.all(cases.map(([, args]) => runProgram(args)));
  }, 60_000);
  afterAll(() => folder.remove());

  it.each(cases.map(([title, , code, said], index) => ({ title, code, said, index })))(
    '$title',
    ({ code, said, index }) => {
      const { code: exit, stdout, stderr } = ended[index]!;
      const [told, silent] = code === 1 ? [stdout, stderr] : [stderr, stdout];
      expect([exit, silent]).toEqual([code, '']);
      for (const words of said) expect(told).toMatch(words);
      expect(told).not.toMatch(/^ {4}at /m);
    },
  );
});
