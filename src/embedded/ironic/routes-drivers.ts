import { clientError } from './api-error.js';
import { driverSettings, logicalDiskProperties } from './driver-properties.js';
import { drivers, interfaceKinds } from './drivers.js';
import type { JsonObject } from './json.js';
import { requireResource } from './microversion.js';
import { links } from './node-rendering.js';
import type { ApiRequest, Route } from './router.js';
import type { Services } from './services.js';

/** Hardware types and conductors. */
export function driverRoutes(services: Services): Route[] {
  const driver = '/v1/drivers/{driver}';
  return [
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
      template: driver,
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
      template: `${driver}/properties`,
      handle: (request) => ({ status: 200, body: driverSettings(known(request)) }),
    },
    {
      method: 'GET',
      template: `${driver}/raid/logical_disk_properties`,
      handle: (request) => {
        requireResource(request.minor, 12);
        known(request);
        return { status: 200, body: logicalDiskProperties() };
      },
    },
    {
      method: 'GET',
      template: '/v1/conductors',
      handle: (request) => {
        requireConductors(request);
        return { status: 200, body: { conductors: [conductorEntry(services, request)] } };
      },
    },
    {
      method: 'GET',
      template: '/v1/conductors/{host}',
      handle: (request) => {
        requireConductors(request);
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

/** The driver in the path, which must be known. */
function known(request: ApiRequest): string {
  const name = request.params['driver'] ?? '';
  if (!Object.hasOwn(drivers, name)) throw clientError(404, `The driver '${name}' is unknown.`);
  return name;
}

function requireConductors({ minor }: ApiRequest): void {
  if (minor < 49) throw clientError(404, 'The API is not supported for this version');
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
