import { clientError } from './api-error.js';
import { drivers, interfaceKinds } from './drivers.js';
import type { Json, JsonObject } from './json.js';
import { requireResource } from './microversion.js';
import { links } from './node-rendering.js';
import type { ApiRequest, Route } from './router.js';
import type { Services } from './services.js';

/** Version documents, drivers and conductors. */
export function rootRoutes(services: Services): Route[] {
  return [
    { method: 'GET', template: '/', handle: (request) => ({ status: 200, body: rootDocument(services, request) }) },
    { method: 'GET', template: '/v1', handle: (request) => ({ status: 200, body: versionOne(services, request) }) },
    {
      method: 'GET',
      template: '/v1/drivers',
      handle: (request) => {
        const detail = request.query.get('detail')?.toLowerCase() === 'true';
        const names = Object.keys(drivers).sort();
        return { status: 200, body: { drivers: names.map((name) => driverEntry(services, request, name, detail)) } };
      },
    },
    {
      method: 'GET',
      template: '/v1/drivers/{driver}',
      handle: (request) => {
        const name = request.params['driver'] ?? '';
        if (!Object.hasOwn(drivers, name)) {
          throw clientError(404, `Could not find the following driver(s) or hardware type(s): ${name}.`);
        }
        return { status: 200, body: driverEntry(services, request, name, request.minor >= 30) };
      },
    },
    {
      method: 'GET',
      template: '/v1/conductors',
      handle: (request) => {
        requireResource(request.minor, 49);
        return { status: 200, body: { conductors: [conductorEntry(services, request)] } };
      },
    },
    {
      method: 'GET',
      template: '/v1/conductors/{host}',
      handle: (request) => {
        requireResource(request.minor, 49);
        const host = request.params['host'] ?? '';
        if (host !== services.host) throw clientError(404, `Conductor ${host} could not be found.`);
        const body = {
          created_at: services.startedAt,
          updated_at: services.startedAt,
          ...conductorEntry(services, request),
          drivers: Object.keys(drivers).sort(),
        };
        return { status: 200, body };
      },
    },
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

function versionOne(services: Services, request: ApiRequest): JsonObject {
  const { baseUrl, minor } = request;
  const resource = (name: string): Json => [
    { href: `${baseUrl}/v1/${name}/`, rel: 'self' },
    { href: `${baseUrl}/${name}/`, rel: 'bookmark' },
  ];
  const document: JsonObject = {
    id: 'v1',
    links: [{ href: `${baseUrl}/v1/`, rel: 'self' }],
    media_types: { base: 'application/json', type: 'application/vnd.openstack.ironic.v1+json' },
    nodes: resource('nodes'),
    ports: resource('ports'),
    drivers: resource('drivers'),
    version: versionEntry(services, request),
  };
  if (minor >= 49) document['conductors'] = resource('conductors');
  return document;
}

function driverEntry(services: Services, { baseUrl }: ApiRequest, name: string, detail: boolean): JsonObject {
  const entry: JsonObject = {
    name,
    hosts: [services.host],
    links: links(baseUrl, `drivers/${name}`),
    properties: links(baseUrl, `drivers/${name}/properties`),
    type: 'dynamic',
  };
  if (!detail) return entry;
  for (const kind of interfaceKinds) {
    const enabled = drivers[name]?.[kind] ?? [];
    entry[`default_${kind}_interface`] = enabled[0] ?? null;
    entry[`enabled_${kind}_interfaces`] = [...enabled];
  }
  return entry;
}

function conductorEntry(services: Services, { baseUrl }: ApiRequest): JsonObject {
  const { host } = services;
  return { hostname: host, conductor_group: '', links: links(baseUrl, `conductors/${host}`), alive: true };
}
