import type { Json, JsonObject } from './json.js';
import type { ApiRequest, Route } from './router.js';
import type { Services } from './services.js';

/** Version documents. */
export function rootRoutes(services: Services): Route[] {
  return [
    { method: 'GET', template: '/', handle: (request) => ({ status: 200, body: rootDocument(services, request) }) },
    { method: 'GET', template: '/v1', handle: (request) => ({ status: 200, body: versionOne(services, request) }) },
  ];
}

function versionEntry({ versions }: Services, { baseUrl }: ApiRequest): JsonObject {
  return {
    id: 'v1',
    links: [{ href: `${baseUrl}/v1/`, rel: 'self' }],
    status: 'CURRENT',
    min_version: `1.${versions.min}`,
    version: `1.${versions.max}`,
  };
}

function rootDocument(services: Services, request: ApiRequest): JsonObject {
  return {
    name: 'OpenStack Ironic API',
    description: 'Ironic is an OpenStack project which enables the provision and management of baremetal machines.',
    default_version: versionEntry(services, request),
    versions: [versionEntry(services, request)],
  };
}

/** First minor version with each collection; clients look here for what they may use. */
const collections: readonly (readonly [name: string, since: number])[] = [
  ['chassis', 1],
  ['nodes', 1],
  ['ports', 1],
  ['drivers', 1],
  ['portgroups', 24],
  ['volume', 32],
  ['lookup', 22],
  ['heartbeat', 22],
  ['conductors', 49],
  ['allocations', 52],
  ['events', 54],
  ['deploy_templates', 55],
  ['shards', 82],
  ['runbooks', 92],
  ['inspection_rules', 96],
  ['continue_inspection', 84],
];

function versionOne(services: Services, request: ApiRequest): JsonObject {
  const { baseUrl, minor } = request;
  const resource = (name: string): Json => [
    { href: `${baseUrl}/v1/${name}/`, rel: 'self' },
    { href: `${baseUrl}/${name}/`, rel: 'bookmark' },
  ];
  const offered = collections.filter(([, since]) => minor >= since);
  return {
    id: 'v1',
    links: [
      { href: `${baseUrl}/v1/`, rel: 'self' },
      // The slashes are the real server's.
      {
        href: 'https://docs.openstack.org//ironic/latest/contributor//webapi.html',
        rel: 'describedby',
        type: 'text/html',
      },
    ],
    media_types: { base: 'application/json', type: 'application/vnd.openstack.ironic.v1+json' },
    ...Object.fromEntries(offered.map(([name]) => [name, resource(name)])),
    version: versionEntry(services, request),
  };
}
