import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parseEntries, parseManifests, readManifests } from '../../../src/cli/manifests.js';
import { faultsOf } from '../../../src/cli/validate.js';

const host = (spec: string) => `apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: {name: a}
spec: ${spec}
`;
const good = host('{online: true, bmc: {address: "redfish://192.0.2.1/redfish/v1/Systems/1", credentialsName: s}}');

describe('manifests', () => {
  it('may hold several documents and lists, and go to the namespace that they name, or to the default one', () => {
    const text = `${good}---\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: s, namespace: n}}\n- {apiVersion: v1, kind: Namespace, metadata: {name: n}}\n`;
    const found = parseManifests(text, 'f.yaml');
    expect(found.map(({ origin, kind, object }) => [origin, kind.plural, object.metadata.namespace])).toEqual([
      ['f.yaml, document 1', 'baremetalhosts', 'default'],
      ['f.yaml, document 3, item 1', 'secrets', 'n'],
      ['f.yaml, document 3, item 2', 'namespaces', undefined],
    ]);
  });

  it('may be JSON, or empty', () => {
    const json = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });
    expect(parseManifests(json, 'f')[0]?.kind.kind).toBe('ConfigMap');
    expect(parseManifests('', 'f')).toEqual([]);
    expect(parseManifests('# nothing\n---\n', 'f')).toEqual([]);
  });

  it('may merge one mapping into another', () => {
    const text = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nx: &x {a: b}\nstringData:\n  <<: *x\n  c: d\n';
    expect(parseManifests(text, 'f')[0]?.object.stringData).toEqual({ a: 'b', c: 'd' });
  });

  it.each<[string, string, RegExp]>([
    ['no YAML', 'a: [', /^f, document 1: is no YAML: .*; correct it$/],
    ['a text', 'hello', /^f, document 1: is no object/],
    ['a list', '- a', /^f, document 1: is no object/],
    ['no apiVersion', 'kind: Secret', /^f, document 1: apiVersion is missing/],
    ['no kind', 'apiVersion: v1', /^f, document 1: kind is missing/],
    [
      'a kind that is not served',
      'apiVersion: apps/v1\nkind: Deployment',
      /apps\/v1 Deployment is no kind that is served here; use one of v1 Namespace,/,
    ],
    ['no name', 'apiVersion: v1\nkind: Secret\nmetadata: {}', /metadata.name is missing/],
    ['no metadata', 'apiVersion: v1\nkind: Secret', /metadata.name is missing/],
    ['a name that is no text', 'apiVersion: v1\nkind: Secret\nmetadata: {name: 7}', /metadata.name is no text/],
    ['nothing in a list', 'kind: List\nitems: [null]', /^f, document 1, item 1: is no object/],
    ['an alias of nothing', 'a: *b', /^f, document 1: is no YAML/],
    [
      'too many aliases',
      'a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c]',
      /^f, document 1: is no YAML: Excessive alias count/,
    ],
    ['a fault in a later document', `${good}---\nkind: x`, /^f, document 2: /],
  ])('are refused for %s, with the place and the remedy', (_what, text, message) => {
    expect(() => parseManifests(text, 'f')).toThrow(message);
  });

  it('are told of all faults that keep them from being one, beside those that are', () => {
    const text = `${good}---\napiVersion: apps/v1\nkind: Deployment\n---\nkind: 7\n---\n${good}`;
    const told = parseEntries(text, 'f').map((entry) => (entry instanceof Error ? entry.message : entry.origin));
    expect(told).toEqual([
      'f, document 1',
      expect.stringMatching(/^f, document 2: apps\/v1 Deployment is no kind/),
      expect.stringMatching(/^f, document 2: metadata.name is missing/),
      expect.stringMatching(/^f, document 3: apiVersion is missing/),
      expect.stringMatching(/^f, document 3: kind is no text/),
      expect.stringMatching(/^f, document 3: metadata.name is missing/),
      'f, document 4',
    ]);
  });

  it('are read from files, and a file that is not there is named', () => {
    const folder = mkdtempSync(join(tmpdir(), 'manifests-'));
    const file = join(folder, 'a.yaml');
    writeFileSync(file, good);
    expect(readManifests(file)).toHaveLength(1);
    rmSync(folder, { recursive: true });
    expect(() => readManifests(file)).toThrow(/a\.yaml: cannot be read: .*ENOENT/);
  });
});

describe('validation', () => {
  const judged = (text: string) => faultsOf(parseManifests(text, 'f')[0]!);
  const faults = (spec: string) => judged(host(spec)).refusals;

  it('finds nothing wrong with a good host, nor with the rack that is shipped', () => {
    expect(judged(good)).toEqual({ refusals: [], warnings: [] });
    const rack = fileURLToPath(new URL('../../../examples/rack.yaml', import.meta.url));
    expect(readManifests(rack).flatMap((one) => faultsOf(one).refusals)).toEqual([]);
  });

  it('finds no machine twice in the examples: they may be applied beside each other', () => {
    const files = ['rack', 'claim'].map((name) =>
      fileURLToPath(new URL(`../../../examples/${name}.yaml`, import.meta.url)),
    );
    const all = files.flatMap((file) => readManifests(file)).filter(({ kind }) => kind.kind === 'BareMetalHost');
    const hosts = all.map(({ object }) => object);
    expect(all.flatMap((one) => faultsOf(one, { hosts }).warnings)).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    ['a field that does not exist', '{online: true, onlin: true}', /^spec\.onlin: is no field of a BareMetalHost$/],
    ['a value of another type', '{online: "yes"}', /^spec\.online: /],
    ['a missing field', '{}', /online/],
    ['an enumeration', '{online: true, bootMode: BIOS}', /^spec\.bootMode: /],
    [
      'a BMC address',
      '{online: true, bmc: {address: "carrier-pigeon://x", credentialsName: s}}',
      /^spec\.bmc\.address: /,
    ],
  ])('names the field of %s', (_what, spec, fault) => {
    expect(faults(spec)).toEqual([expect.stringMatching(fault)]);
  });

  it('goes by the rules that a cluster has beyond the schemas, and warns as it does', () => {
    expect(faults('{online: false, disablePowerOff: true}')).toEqual([expect.stringMatching(/^spec\.online: /)]);
    const image = '{online: true, image: {url: "http://a/b", checksum: c, checksumType: md5}}';
    expect(judged(host(image))).toEqual({ refusals: [], warnings: [expect.stringMatching(/md5/)] });
    const twin = parseManifests(good, 'f')[0]!;
    const other = { ...twin.object, metadata: { name: 'b', namespace: 'default' } };
    expect(faultsOf(twin, { hosts: [other] }).warnings).toEqual([expect.stringMatching(/the host b/)]);
  });

  it('tells what the rules say of the rest of an object that its schema refuses', () => {
    const spec = '{online: "yes", disablePowerOff: true, raid: {softwareRAIDVolumes: [{level: "9"}]}, firmware: {}}';
    expect([...faults(spec)].sort()).toEqual([
      expect.stringMatching(/^spec\.firmware: /),
      expect.stringMatching(/^spec\.online: .*boolean/),
      expect.stringMatching(/^spec\.raid\.softwareRAIDVolumes\[0\]\.level: /),
    ]);
  });

  it('tells of metadata that cannot be read', () => {
    const odd = good.replace('{name: a}', '{name: a, annotations: {reboot.metal3.io: 5}}');
    expect(judged(odd).refusals).toEqual([expect.stringMatching(/^metadata\.annotations\.reboot/)]);
  });

  it('warns of what a controller is going to refuse', () => {
    const of = (kind: string, spec: string) =>
      judged(`apiVersion: metal3.io/v1alpha1\nkind: ${kind}\nmetadata: {name: a}\nspec: ${spec}\n`);
    const switchOf = (namespace: string) =>
      of(
        'BareMetalSwitch',
        `{address: sw, macAddress: "aa:bb:cc:dd:ee:ff", deviceType: d, credentials: {name: s, namespace: ${namespace}}}`,
      );
    const policyOf = (nameMatches: string) =>
      of('HostDeployPolicy', `{hostClaimNamespaces: {nameMatches: "${nameMatches}"}}`);
    expect(switchOf('other')).toEqual({
      refusals: [],
      warnings: [expect.stringMatching(/^spec\.credentials\.namespace: is other/)],
    });
    expect(policyOf('hc[')).toEqual({
      refusals: [],
      warnings: [expect.stringMatching(/^spec\.hostClaimNamespaces\.nameMatches: is no regular expression/)],
    });
    for (const one of [switchOf('default'), policyOf('^prod$')]) expect(one).toEqual({ refusals: [], warnings: [] });
  });

  it('knows the built-in kinds too', () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nwhatever: 1\nstringData: {password: 1234}\n';
    expect(judged(secret).refusals).toEqual([
      'whatever: is no field of a Secret',
      expect.stringMatching(/^stringData\.password: /),
    ]);
  });
});
