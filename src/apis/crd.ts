/** The CRD manifests, made from the kinds. */
import type { z } from 'zod';
import { bareMetalHostSchema } from './bare-metal-host.js';
import { hardwareDataSchema } from './hardware-data.js';
import { apiGroup, apiVersion } from './names.js';
import { toStructuralSchema, type StructuralSchema } from './structural-schema.js';

export interface PrinterColumn {
  name: string;
  type: 'string' | 'integer' | 'date';
  jsonPath: string;
  description?: string;
  /** 1: shown with `-o wide` only. */
  priority?: 1;
}

/** What a manifest needs beyond the schema. */
export interface KindManifest {
  kind: string;
  plural: string;
  shortNames?: string[];
  labels?: Record<string, string>;
  hasStatus: boolean;
  columns?: PrinterColumn[];
  schema: z.ZodType;
}

export interface CustomResourceDefinition {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string; labels?: Record<string, string> };
  spec: {
    group: string;
    names: { kind: string; listKind: string; plural: string; singular: string; shortNames?: string[] };
    scope: 'Namespaced';
    versions: {
      name: string;
      served: true;
      storage: true;
      additionalPrinterColumns?: PrinterColumn[];
      schema: { openAPIV3Schema: StructuralSchema };
      subresources?: { status: Record<string, never> };
    }[];
  };
}

const age: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'Time since it was created',
};
const string = (name: string, jsonPath: string, description: string, priority?: 1): PrinterColumn => ({
  name,
  type: 'string',
  jsonPath,
  description,
  ...(priority && { priority }),
});

/** So that `clusterctl move` takes the objects along. */
const moved = { 'clusterctl.cluster.x-k8s.io': '', 'clusterctl.cluster.x-k8s.io/move': '' };

const manifests: KindManifest[] = [
  {
    kind: 'BareMetalHost',
    plural: 'baremetalhosts',
    shortNames: ['bmh', 'bmhost'],
    labels: { ...moved, 'clusterctl.cluster.x-k8s.io/move-hierarchy': '' },
    hasStatus: true,
    columns: [
      string('Status', '.status.operationalStatus', 'How the host is', 1),
      string('State', '.status.provisioning.state', 'Where it is in its lifecycle'),
      string('Consumer', '.spec.consumerRef.name', 'Who uses it'),
      string('BMC', '.spec.bmc.address', 'Address of its BMC', 1),
      string('Online', '.spec.online', 'Whether it is to be powered on'),
      string('Error', '.status.errorType', 'At what it last failed'),
      age,
    ],
    schema: bareMetalHostSchema,
  },
  {
    kind: 'HardwareData',
    plural: 'hardwaredata',
    shortNames: ['hd'],
    labels: moved,
    hasStatus: false,
    columns: [age],
    schema: hardwareDataSchema,
  },
];

export function customResourceDefinitions(): CustomResourceDefinition[] {
  return manifests.map(customResourceDefinition);
}

function customResourceDefinition(manifest: KindManifest): CustomResourceDefinition {
  const { kind, plural, shortNames, labels, columns, hasStatus, schema } = manifest;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${apiGroup}`, ...(labels && { labels }) },
    spec: {
      group: apiGroup,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), ...(shortNames && { shortNames }) },
      scope: 'Namespaced',
      versions: [
        {
          name: apiVersion,
          served: true,
          storage: true,
          ...(columns && { additionalPrinterColumns: columns }),
          schema: { openAPIV3Schema: toStructuralSchema(schema) },
          ...(hasStatus && { subresources: { status: {} } }),
        },
      ],
    },
  };
}
