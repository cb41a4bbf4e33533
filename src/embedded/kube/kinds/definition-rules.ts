import { messageOf } from '../../../errors.js';
import { dictOf, isDict, type Dict, type KubeObject } from '../object.js';
import { invalid, required, type FieldError } from '../schema/field-error.js';
import { kindsOf, type CrdSpec } from './custom.js';

/** What is wrong with a custom resource definition (apiextensions.k8s.io/v1), beyond its own schema. */
export function checkDefinition(crd: KubeObject): FieldError[] {
  const spec = dictOf(crd['spec']);
  const names = dictOf(spec['names']);
  if (crd.metadata.name !== `${String(names['plural'])}.${String(spec['group'])}`) {
    return [invalid('metadata.name', crd.metadata.name, `must be spec.names.plural+"."+spec.group`)];
  }
  const { versions } = crd['spec'] as CrdSpec;
  if (!Array.isArray(versions)) return [];
  const errors = [...storageErrors(versions), ...versions.flatMap(schemaErrors)];
  return errors.length > 0 ? errors : servingErrors(crd);
}

function storageErrors(versions: CrdSpec['versions']): FieldError[] {
  if (versions.filter(({ storage }) => storage).length === 1) return [];
  return [
    invalid('spec.versions', versions, 'must have exactly one version marked as storage version'),
    invalid('status.storedVersions', null, 'must have at least one stored version'),
  ];
}

function schemaErrors(version: CrdSpec['versions'][number], index: number, all: CrdSpec['versions']): FieldError[] {
  const schema: unknown = version.schema?.openAPIV3Schema;
  if (!isDict(schema)) return [required(`spec.versions[${index}].schema.openAPIV3Schema`)];
  // The real server keeps the schema of a single version where older definitions had it, and names that place.
  const path = all.length === 1 ? 'spec.validation.openAPIV3Schema' : `spec.versions[${index}].schema.openAPIV3Schema`;
  return untypedErrors(schema, path, 'must not be empty at the root');
}

/** A structural schema has a type everywhere, but where anything goes. */
function untypedErrors(schema: Dict, path: string, why: string): FieldError[] {
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const errors = schema['type'] || isOpen ? [] : [required(`${path}.type`, why)];
  for (const [name, below] of Object.entries(dictOf(schema['properties']))) {
    errors.push(
      ...untypedErrors(dictOf(below), `${path}.properties[${name}]`, 'must not be empty for specified object fields'),
    );
  }
  const { items, additionalProperties } = schema;
  if (isDict(items))
    errors.push(...untypedErrors(items, `${path}.items`, 'must not be empty for specified array items'));
  if (isDict(additionalProperties)) {
    const below = `${path}.additionalProperties`;
    errors.push(...untypedErrors(additionalProperties, below, 'must not be empty for specified object fields'));
  }
  return errors;
}

function servingErrors(crd: KubeObject): FieldError[] {
  try {
    kindsOf(crd);
    return [];
  } catch (error) {
    return [invalid('spec.versions', null, messageOf(error))];
  }
}
