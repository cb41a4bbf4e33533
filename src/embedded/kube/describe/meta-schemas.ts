/** Metadata as OpenAPI tells of them: what they are made of has names, by which kubectl calls it. */
import { OBJECT_META } from '../kinds/metadata-schema.js';
import type { Dict } from '../object.js';

const meta = (name: string) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`;
const reference = (name: string): Dict => ({ $ref: `#/components/schemas/${meta(name)}` });

/** Of the metadata of an object. */
export const objectMeta = reference('ObjectMeta');

/** Components of every document, by their names. */
export function metaSchemas(): Dict {
  const properties = OBJECT_META.properties as Record<string, Dict>;
  const { ownerReferences = {}, managedFields = {} } = properties;
  const owner = ownerReferences.items as Dict;
  const entry = managedFields.items as Dict;
  const { fieldsV1 } = entry.properties as Dict;
  const { description } = fieldsV1 as Dict;
  const listOf = (list: Dict, name: string): Dict => ({ ...list, items: reference(name) });
  const fields: Dict = { description, allOf: [reference('FieldsV1')] };
  return {
    [meta('ObjectMeta')]: {
      ...OBJECT_META,
      properties: {
        ...properties,
        ownerReferences: listOf(ownerReferences, 'OwnerReference'),
        managedFields: listOf(managedFields, 'ManagedFieldsEntry'),
      },
    },
    [meta('OwnerReference')]: { ...owner, required: ['apiVersion', 'kind', 'name', 'uid'] },
    [meta('ManagedFieldsEntry')]: { ...entry, properties: { ...(entry.properties as Dict), fieldsV1: fields } },
    [meta('FieldsV1')]: { type: 'object', description },
  } as Dict;
}
