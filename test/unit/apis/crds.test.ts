import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  customResourceDefinitions,
  kinds,
  toStructuralSchema,
  type StructuralSchema,
} from '../../../src/apis/index.js';
import { fact, integer, list, object, optional, required, text } from '../../../src/apis/wire.js';
import { renderCRDs } from '../../../src/cli/crds.js';

const manifests = join(import.meta.dirname, '../../../charts/ironchart/crds');

function schemaOf(kind: string): StructuralSchema {
  const crd = customResourceDefinitions().find(({ spec }) => spec.names.kind === kind);
  if (!crd) throw new Error(`no ${kind}`);
  return crd.spec.versions[0]!.schema.openAPIV3Schema;
}

function at(schema: StructuralSchema, path: string): StructuralSchema {
  let here = schema;
  for (const name of path.split('.')) {
    const next = name === '[]' ? here.items : here.properties?.[name];
    if (!next) throw new Error(`nothing at ${path}`);
    here = next;
  }
  return here;
}

function* walk(schema: StructuralSchema, path: string): Generator<[string, StructuralSchema]> {
  yield [path, schema];
  for (const [name, child] of Object.entries(schema.properties ?? {})) yield* walk(child, `${path}.${name}`);
  if (schema.items) yield* walk(schema.items, `${path}[]`);
  if (schema.additionalProperties) yield* walk(schema.additionalProperties, `${path}{}`);
}

describe('CRD manifests', () => {
  for (const { file, text } of renderCRDs()) {
    it(`${file} in the chart equals what the schemas give`, () => {
      expect(readFileSync(join(manifests, file), 'utf8')).toBe(text);
    });
  }

  it('explain every field', () => {
    const silent = customResourceDefinitions().flatMap(({ spec }) =>
      [...walk(spec.versions[0]!.schema.openAPIV3Schema, spec.names.kind)]
        .filter(([path, node]) => !node.description && !path.endsWith('.metadata'))
        .map(([path]) => path),
    );
    expect(silent).toEqual([]);
  });

  it('carry the names, columns and the status subresource of a host', () => {
    const { metadata, spec } = customResourceDefinitions()[0]!;
    expect(metadata.name).toBe('baremetalhosts.metal3.io');
    expect(metadata.labels).toHaveProperty(['clusterctl.cluster.x-k8s.io/move-hierarchy']);
    expect(spec.names).toEqual({
      kind: 'BareMetalHost',
      listKind: 'BareMetalHostList',
      plural: 'baremetalhosts',
      singular: 'baremetalhost',
      shortNames: ['bmh', 'bmhost'],
    });
    expect(spec.versions[0]!.subresources).toEqual({ status: {} });
    expect(spec.versions[0]!.additionalPrinterColumns!.map((c) => [c.name, c.priority ?? 0])).toEqual([
      ['Status', 1],
      ['State', 0],
      ['Consumer', 0],
      ['BMC', 1],
      ['Online', 0],
      ['Error', 0],
      ['Age', 0],
    ]);
  });

  it.each([
    ['BareMetalHost', 'baremetalhosts', ['bmh', 'bmhost'], true, true],
    ['HardwareData', 'hardwaredata', ['hd'], false, false],
    ['PreprovisioningImage', 'preprovisioningimages', ['ppimg'], true, true],
    ['HostFirmwareSettings', 'hostfirmwaresettings', ['hfs'], true, true],
    ['FirmwareSchema', 'firmwareschemas', undefined, false, false],
    ['HostFirmwareComponents', 'hostfirmwarecomponents', undefined, true, true],
    ['HostUpdatePolicy', 'hostupdatepolicies', undefined, false, true],
    ['DataImage', 'dataimages', undefined, true, true],
    ['BMCEventSubscription', 'bmceventsubscriptions', ['bes', 'bmcevent'], true, true],
    ['HostClaim', 'hostclaims', undefined, true, true],
    ['HostDeployPolicy', 'hostdeploypolicies', undefined, true, true],
    ['HostNetworkAttachment', 'hostnetworkattachments', undefined, true, false],
    ['BareMetalSwitch', 'baremetalswitches', ['bms'], true, true],
  ])('serve %s as %s', (kind, plural, shortNames, hasEndpoint, hasField) => {
    const { metadata, spec } = customResourceDefinitions().find((crd) => crd.spec.names.kind === kind)!;
    expect(metadata.name).toBe(`${plural}.metal3.io`);
    expect([spec.group, spec.scope]).toEqual(['metal3.io', 'Namespaced']);
    expect(spec.names).toMatchObject({ plural, singular: kind.toLowerCase(), listKind: `${kind}List` });
    expect(spec.names.shortNames).toEqual(shortNames);
    expect(spec.versions[0]!.subresources).toEqual(hasEndpoint ? { status: {} } : undefined);
    expect(Object.keys(schemaOf(kind).properties!).includes('status')).toBe(hasField);
    expect(schemaOf(kind).required).toBeUndefined();
  });

  it('are each addressed by a reference', () => {
    const served = customResourceDefinitions().map(({ spec: { group, names, versions } }) => ({
      group,
      version: versions[0]!.name,
      kind: names.kind,
      plural: names.plural,
    }));
    const byKind = <T extends { kind: string }>(list: T[]) => list.sort((a, b) => (a.kind < b.kind ? -1 : 1));
    expect(byKind([...Object.values(kinds)])).toEqual(byKind(served));
  });

  it('say to clusterctl which objects move with a cluster', () => {
    const moved = customResourceDefinitions().filter(({ metadata }) => metadata.labels !== undefined);
    expect(moved.map(({ spec, metadata }) => [spec.names.kind, Object.keys(metadata.labels!).length])).toEqual([
      ['BareMetalHost', 3],
      ['HardwareData', 2],
    ]);
  });

  it('take a number or a text as the value of a firmware setting, and nothing else', () => {
    const { additionalProperties } = at(schemaOf('HostFirmwareSettings'), 'spec.settings');
    expect(additionalProperties).toMatchObject({
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
    });
    expect(additionalProperties).not.toHaveProperty('type');
  });

  it('require what the contract requires and default what it defaults', () => {
    const host = schemaOf('BareMetalHost');
    expect(host.required).toBeUndefined();
    expect(at(host, 'spec').required).toEqual(['online']);
    expect(at(host, 'status').required).toEqual([
      'errorCount',
      'errorMessage',
      'operationalStatus',
      'poweredOn',
      'provisioning',
      'provisioningFailCount',
    ]);
    expect(at(host, 'spec.automatedCleaningMode')).toMatchObject({
      default: 'metadata',
      enum: ['metadata', 'disabled'],
    });
    expect(at(host, 'status.errorCount')).toMatchObject({ type: 'integer', default: 0 });
    expect(at(host, 'spec.raid.softwareRAIDVolumes')).toMatchObject({ nullable: true, maxItems: 2 });
    expect(at(host, 'status.conditions')).toMatchObject({
      maxItems: 32,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    });
    expect(at(host, 'status.lifecycle.snapshot')).toMatchObject({ 'x-kubernetes-preserve-unknown-fields': true });
  });
});

describe('toStructuralSchema', () => {
  it('lets the facts of a wrapper come on top of those of the wrapped', () => {
    const inner = object({ a: required(text('inner a'), ''), b: optional(integer('b')) }, 'inner');
    expect(toStructuralSchema(optional(inner, 'outer'))).toEqual({
      description: 'outer',
      type: 'object',
      properties: { a: { description: 'inner a', type: 'string' }, b: { description: 'b', type: 'integer' } },
      required: ['a'],
    });
  });

  it('renders lists, maps and null', () => {
    expect(toStructuralSchema(list(text('x'), 'xs', { minItems: 1 }))).toEqual({
      description: 'xs',
      minItems: 1,
      type: 'array',
      items: { description: 'x', type: 'string' },
    });
    expect(toStructuralSchema(z.record(z.string(), z.boolean()))).toEqual({
      type: 'object',
      additionalProperties: { type: 'boolean' },
    });
    expect(toStructuralSchema(z.string().nullable())).toEqual({ type: 'string', nullable: true });
  });

  it('refuses what has no structural form', () => {
    expect(() => toStructuralSchema(z.union([z.string(), z.number()]))).toThrow('union');
  });

  it('hides what the API server owns', () => {
    expect(toStructuralSchema(fact(z.looseObject({ name: z.string() }), { opaque: true }))).toEqual({ type: 'object' });
  });
});
