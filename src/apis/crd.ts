/** The CRD manifests, made from the kinds. */
import { kindManifests, type KindManifest, type PrinterColumn } from './kind-manifests.js';
import { apiGroup, apiVersion } from './names.js';
import { toStructuralSchema, type StructuralSchema } from './structural-schema.js';

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

export function customResourceDefinitions(): CustomResourceDefinition[] {
  return kindManifests.map(customResourceDefinition);
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
