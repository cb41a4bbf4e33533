/** A definition that uses each feature of structural schemas that a server has to honour. */
export const WIDGET_CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.suite.example.com' },
  spec: {
    group: 'suite.example.com',
    scope: 'Namespaced',
    names: {
      kind: 'Widget',
      listKind: 'WidgetList',
      plural: 'widgets',
      singular: 'widget',
      shortNames: ['wd'],
      categories: ['suite'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
          { name: 'Online', type: 'string', jsonPath: '.spec.online' },
          { name: 'Mode', type: 'string', jsonPath: '.spec.mode', priority: 1 },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A widget, for suites.',
            properties: {
              spec: {
                type: 'object',
                description: 'What is wanted of the widget.',
                required: ['size'],
                properties: {
                  size: { type: 'integer', format: 'int32', minimum: 1, maximum: 10, description: 'How big.' },
                  mode: { type: 'string', enum: ['fast', 'slow'], default: 'slow' },
                  code: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 5 },
                  online: { type: 'boolean' },
                  since: { type: 'string', format: 'date-time', nullable: true },
                  port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
                  open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  settings: {
                    type: 'object',
                    additionalProperties: {
                      'x-kubernetes-int-or-string': true,
                      anyOf: [{ type: 'integer' }, { type: 'string' }],
                    },
                  },
                  parts: {
                    type: 'array',
                    maxItems: 3,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, weight: { type: 'integer', default: 1 } },
                    },
                  },
                  tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                  lines: { type: 'array', items: { type: 'string' } },
                },
              },
              status: {
                type: 'object',
                properties: {
                  phase: { type: 'string' },
                  count: { type: 'integer', default: 0 },
                  conditions: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['type', 'status'],
                      properties: { type: { type: 'string' }, status: { type: 'string' } },
                    },
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** A widget as a client sends it. */
export function widget(
  name: string,
  spec: Record<string, unknown> = { size: 1 },
  metadata: Record<string, unknown> = {},
) {
  return { apiVersion: 'suite.example.com/v1', kind: 'Widget', metadata: { name, ...metadata }, spec };
}
