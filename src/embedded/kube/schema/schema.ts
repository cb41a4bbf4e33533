/** The structural subset of OpenAPI v3 that a CustomResourceDefinition may hold. */
export interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  required?: string[];
  enum?: unknown[];
  default?: unknown;
  nullable?: boolean;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  uniqueItems?: boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: 'atomic' | 'granular';
}

/** The schema of `key` inside an object of `schema`; undefined when the schema does not know it. */
export function childSchema(schema: Schema | undefined, key: string): Schema | undefined {
  const declared = schema?.properties?.[key];
  if (declared) return declared;
  const more = schema?.additionalProperties;
  return typeof more === 'object' ? more : undefined;
}

const EMBEDDED: Record<string, Schema> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

/** The properties of a schema, with those that every embedded resource has. */
export function propertiesOf(schema: Schema): Record<string, Schema> | undefined {
  return schema['x-kubernetes-embedded-resource'] ? { ...EMBEDDED, ...schema.properties } : schema.properties;
}

export function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
