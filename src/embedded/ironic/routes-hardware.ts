import { badRequest, clientError, missing, serverError } from './api-error.js';
import { renderSetting } from './bios-settings.js';
import { isRedfish } from './drivers.js';
import { inventoryOf } from './inventory.js';
import { isObject, plainText, pythonText, type JsonObject } from './json.js';
import { requireResource } from './microversion.js';
import { flag } from './node-schema.js';
import type { Answer, ApiRequest, Route } from './router.js';
import { nodeOf } from './routes-nodes.js';
import type { Services } from './services.js';

/** What is in the machine: inventory, firmware and its settings, boot device. */
export function hardwareRoutes(services: Services): Route[] {
  const node = '/v1/nodes/{node}';
  return [
    { method: 'GET', template: `${node}/inventory`, handle: (request) => inventory(services, request) },
    { method: 'GET', template: `${node}/bios`, handle: (request) => biosList(services, request) },
    { method: 'GET', template: `${node}/bios/{setting}`, handle: (request) => biosSetting(services, request) },
    {
      method: 'GET',
      template: `${node}/firmware`,
      handle: (request) => {
        requireResource(request.minor, 86);
        return { status: 200, body: { firmware: nodeOf(services, request).firmware } };
      },
    },
    { method: 'GET', template: `${node}/management/boot_device`, handle: (request) => bootDevice(services, request) },
    {
      method: 'PUT',
      template: `${node}/management/boot_device`,
      handle: (request) => setBootDevice(services, request),
    },
    {
      method: 'GET',
      template: `${node}/management/boot_device/supported`,
      handle: (request) => {
        const { driver } = nodeOf(services, request).fields;
        return {
          status: 200,
          body: { supported_boot_devices: driver === 'fake-hardware' ? ['pxe'] : [...bootDevices] },
        };
      },
    },
  ];
}

function inventory(services: Services, request: ApiRequest): Answer {
  requireResource(request.minor, 81);
  const node = nodeOf(services, request);
  if (!node.inspection) throw clientError(404, `Node inventory record for node ${node.id} could not be found.`);
  return { status: 200, body: inventoryOf(node.fields.uuid, node.inspection) };
}

function biosList(services: Services, request: ApiRequest): Answer {
  requireResource(request.minor, 40);
  const node = nodeOf(services, request);
  if (request.minor < 74 && request.query.has('detail')) {
    throw badRequest("Schema error: Additional properties are not allowed ('detail' was unexpected)");
  }
  const detail = flag('detail', request.query.get('detail') ?? 'false');
  const names = Object.keys(node.bios).sort();
  return { status: 200, body: { bios: names.map((name) => renderSetting(node, name, detail, request.baseUrl)) } };
}

function biosSetting(services: Services, request: ApiRequest): Answer {
  requireResource(request.minor, 40);
  const node = nodeOf(services, request);
  const name = request.params['setting'] ?? '';
  if (!Object.hasOwn(node.bios, name)) {
    throw clientError(404, `Node ${node.fields.uuid} doesn't have a BIOS setting '${name}'`);
  }
  return { status: 200, body: { [name]: renderSetting(node, name, request.minor >= 74, request.baseUrl) } };
}

const bootDevices = ['pxe', 'disk', 'cdrom', 'bios', 'uefihttp'] as const;

function bootDevice(services: Services, request: ApiRequest): Answer {
  const internal: JsonObject = nodeOf(services, request).fields.driver_internal_info;
  const held = internal['boot_device'];
  return { status: 200, body: isObject(held) ? held : { boot_device: 'pxe', persistent: false } };
}

async function setBootDevice(services: Services, request: ApiRequest): Promise<Answer> {
  const node = nodeOf(services, request);
  const body = isObject(request.body) ? request.body : {};
  const device = body['boot_device'];
  if (!('boot_device' in body)) throw missing('boot_device');
  if (!(bootDevices as readonly unknown[]).includes(device)) {
    // The Redfish driver looks it up without asking whether it is there.
    if (isRedfish(node.fields.driver)) throw serverError(pythonText(device));
    throw badRequest(`Invalid boot device ${plainText(device)} specified.`);
  }
  const boot_device = { boot_device: device ?? null, persistent: flag('persistent', body['persistent'] ?? false) };
  return services.locks.with(node, () => {
    node.fields.driver_internal_info = { ...node.fields.driver_internal_info, boot_device };
    services.store.save(node);
    return { status: 204 };
  });
}
