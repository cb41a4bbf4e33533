/** Each kind of the group by what kubectl asks of a server: api-resources, apply, get, get -o wide, explain, delete. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import { APPLY, type Json, TABLE } from '../../support/kube-api/client.js';
import { type EmbeddedTarget, startEmbedded } from '../../support/kube-api/embedded-target.js';

interface Case {
  readonly plural: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly spec: object | undefined;
  /** A field that `explain` tells of, below spec. */
  readonly field: string;
  /** Beyond the name, with what the example shows; `*`: with `-o wide` alone. Default: Age. */
  readonly columns?: readonly (readonly [string, unknown])[];
}

const age = ['Age', '0s'] as const;
const cases: readonly Case[] = [
  {
    ...{ plural: 'baremetalhosts', kind: 'BareMetalHost', shortNames: ['bmh', 'bmhost'], field: 'bmc' },
    spec: {
      ...{ online: true, consumerRef: { name: 'machine' } },
      bmc: { address: 'redfish://192.0.2.1/redfish/v1/Systems/1', credentialsName: 'bmc' },
    },
    columns: [
      ['Status*', null],
      ['State', null],
      ['Consumer', 'machine'],
      ['BMC*', 'redfish://192.0.2.1/redfish/v1/Systems/1'],
      ['Online', 'true'],
      ['Error', null],
      age,
    ],
  },
  { plural: 'hardwaredata', kind: 'HardwareData', shortNames: ['hd'], spec: { hardware: {} }, field: 'hardware' },
  {
    ...{ plural: 'preprovisioningimages', kind: 'PreprovisioningImage', shortNames: ['ppimg'], field: 'acceptFormats' },
    spec: { architecture: 'x86_64', acceptFormats: ['iso'] },
    columns: [
      ['Ready', null],
      ['Reason', null],
    ],
  },
  {
    ...{ plural: 'hostfirmwaresettings', kind: 'HostFirmwareSettings', shortNames: ['hfs'], field: 'settings' },
    spec: { settings: { NumLock: 'On', Delay: 5 } },
  },
  { plural: 'firmwareschemas', kind: 'FirmwareSchema', spec: { schema: {} }, field: 'schema' },
  {
    ...{ plural: 'hostfirmwarecomponents', kind: 'HostFirmwareComponents', field: 'updates' },
    spec: { updates: [{ component: 'bios', url: 'http://images.example.com/bios' }] },
  },
  {
    ...{ plural: 'hostupdatepolicies', kind: 'HostUpdatePolicy', field: 'firmwareUpdates' },
    spec: { firmwareUpdates: 'onReboot' },
  },
  { plural: 'dataimages', kind: 'DataImage', spec: { url: 'http://images.example.com/data.iso' }, field: 'url' },
  {
    ...{ plural: 'bmceventsubscriptions', kind: 'BMCEventSubscription', shortNames: ['bes', 'bmcevent'] },
    ...{ spec: { hostName: 'host', destination: 'https://events.example.com/' }, field: 'destination' },
    columns: [['Error', null], age],
  },
  { plural: 'hostclaims', kind: 'HostClaim', spec: { poweredOn: true }, field: 'hostSelector' },
  {
    plural: 'hostdeploypolicies',
    kind: 'HostDeployPolicy',
    spec: { hostClaimNamespaces: {} },
    field: 'hostClaimNamespaces',
  },
  {
    ...{
      plural: 'hostnetworkattachments',
      kind: 'HostNetworkAttachment',
      spec: { nativeVLAN: 5 },
      field: 'allowedVLANs',
    },
    columns: [['Mode', 'access'], ['Native VLAN', 5], age],
  },
  {
    ...{ plural: 'baremetalswitches', kind: 'BareMetalSwitch', shortNames: ['bms'], field: 'credentials' },
    spec: { address: '192.0.2.9', macAddress: '02:00:00:00:00:09', deviceType: 'netmiko_cisco_ios' },
    columns: [
      ['Driver', 'generic-switch'],
      ['Device Type', 'netmiko_cisco_ios'],
      ['Address', '192.0.2.9'],
      ['Valid', null],
    ],
  },
];

const [group, version] = ['metal3.io', 'v1alpha1'];

describe('the kinds that the embedded server brings along', () => {
  let target: EmbeddedTarget;
  beforeAll(async () => {
    target = await startEmbedded({ crds: chartCrds() });
  });
  afterAll(() => target.stop());

  const collection = (plural: string) => `/apis/${group}/${version}/namespaces/default/${plural}`;

  it('are the thirteen of the group', () => {
    const served = chartCrds().map(({ spec }) => spec.names.kind as string);
    expect([...served].sort()).toEqual(cases.map(({ kind }) => kind).sort());
    expect(served).toHaveLength(13);
  });

  describe.each(cases)('$kind', ({ plural, kind, shortNames = [], spec, field, columns = [age] }) => {
    const object = {
      apiVersion: `${group}/${version}`,
      kind,
      metadata: { name: 'example', namespace: 'default' },
      spec,
    };

    it('is found by its names', async () => {
      const { body } = await target.client.get(`/apis/${group}/${version}`);
      const found = body.resources.find(({ name }: Json) => name === plural);
      expect(found).toMatchObject({ kind, namespaced: true, singularName: kind.toLowerCase() });
      expect(found.shortNames ?? []).toEqual(shortNames);
      expect(found.verbs).toEqual(expect.arrayContaining(['create', 'delete', 'get', 'list', 'patch', 'watch']));
    });

    it('is applied, again without a change, shown with its columns, and deleted', async () => {
      const path = `${collection(plural)}/example`;
      const apply = () =>
        target.client.patch(`${path}?fieldManager=kubectl&fieldValidation=Strict`, JSON.stringify(object), APPLY);
      const created = await apply();
      expect([created.status, created.body.spec]).toEqual([201, expect.objectContaining(spec ?? {})]);
      const again = await apply();
      expect([again.status, again.body.metadata.resourceVersion]).toEqual([200, created.body.metadata.resourceVersion]);

      const { body: table } = await target.client.get(collection(plural), { accept: TABLE });
      expect(table.kind).toBe('Table');
      const names = table.columnDefinitions.map(({ name, priority }: Json) => `${name}${priority > 0 ? '*' : ''}`);
      expect(names).toEqual(['Name', ...columns.map(([name]) => name)]);
      expect(table.rows[0].cells).toEqual(['example', ...columns.map(([, cell]) => cell)]);

      expect((await target.client.send('DELETE', path)).status).toBe(200);
      expect((await target.client.get(path)).status).toBe(404);
    });

    it('is explained, down to its fields', async () => {
      const { body } = await target.client.get(`/openapi/v3/apis/${group}/${version}`);
      const schemas = Object.values<Json>(body.components.schemas);
      const own = schemas.find((schema) =>
        (schema['x-kubernetes-group-version-kind'] ?? []).some((gvk: Json) => gvk.kind === kind && gvk.group === group),
      );
      expect(own.description).toMatch(/\w+ \w+/);
      expect(own.properties.spec.description).toMatch(/\w+ \w+/);
      expect(own.properties.spec.properties[field].description).toMatch(/\w+ \w+/);
      expect(Object.keys(body.paths)).toContain(`/apis/${group}/${version}/namespaces/{namespace}/${plural}/{name}`);
    });
  });
});
