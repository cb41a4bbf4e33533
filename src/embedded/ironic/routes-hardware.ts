import { badRequest, clientError, unsupported } from './api-error.js';
import { renderSetting } from './bios-settings.js';
import { isRedfish } from './drivers.js';
import { inventoryOf } from './inventory.js';
import { isObject, plainText, pythonText, type Json, type JsonObject } from './json.js';
import { requireResource } from './microversion.js';
import type { NodeRecord } from './node-record.js';
import { flag } from './node-schema.js';
import type { Answer, ApiRequest, Route } from './router.js';
import { nodeOf } from './routes-nodes.js';
import type { Services } from './services.js';

/** What is in the machine and in its drives: inventory, firmware and its settings, virtual media, boot device. */
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
    { method: 'GET', template: `${node}/vmedia`, handle: (request) => mediaList(services, request) },
    { method: 'POST', template: `${node}/vmedia`, handle: (request) => attach(services, request) },
    { method: 'DELETE', template: `${node}/vmedia`, handle: (request) => detach(services, request) },
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
        nodeOf(services, request);
        return { status: 200, body: { supported_boot_devices: [...bootDevices] } };
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
  const detail = request.minor >= 74 && flag('detail', request.query.get('detail') ?? 'false');
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

const mediaDevices: Readonly<Record<string, string[]>> = {
  cdrom: ['CD', 'DVD'],
  disk: ['USBStick'],
  floppy: ['Floppy', 'USBStick'],
};
const mediaNames = Object.keys(mediaDevices);

function mediaNode(services: Services, request: ApiRequest, since: number, extension: string): NodeRecord {
  requireResource(request.minor, since);
  const node = nodeOf(services, request);
  if (!isRedfish(node.fields.driver)) throw unsupported(node.fields.driver, extension);
  return node;
}

function mediaList(services: Services, request: ApiRequest): Answer {
  const node = mediaNode(services, request, 93, 'get_virtual_media');
  const body: Json = ['cdrom', 'disk'].map((device) => {
    const held = node.media.find((media) => media.device === device);
    return { media_types: mediaDevices[device] ?? [], inserted: held !== undefined, image: held?.image ?? '' };
  });
  return { status: 200, body };
}

async function attach(services: Services, request: ApiRequest): Promise<Answer> {
  const { device, image } = parseMedia(request.body);
  const node = mediaNode(services, request, 89, 'attach_virtual_media');
  return services.locks.with(node, () => {
    node.media = [...node.media.filter((media) => media.device !== device), { device, image }];
    services.activity.record(node, 'attach', null, image, 'request');
    services.store.save(node);
    return { status: 204 };
  });
}

function parseMedia(body: Json | undefined): { device: string; image: string } {
  const fail = (text: string) => badRequest(`Schema error for vmedia: ${text}`);
  if (!isObject(body)) throw fail(`${pythonText(body)} is not of type 'object'`);
  for (const key of ['device_type', 'image_url']) if (!(key in body)) throw fail(`'${key}' is a required property`);
  const { device_type: device, image_url: image } = body;
  if (typeof device !== 'string' || !mediaNames.includes(device)) {
    throw fail(`${pythonText(device)} is not one of ['disk', 'cdrom', 'floppy']`);
  }
  if (typeof image !== 'string') throw fail(`${pythonText(image)} is not of type 'string'`);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(image)?.[1] ?? '';
  if (!['http', 'https', 'nfs', 'cifs'].includes(scheme.toLowerCase())) {
    throw badRequest(`Unsupported or missing URL scheme: ${scheme}`);
  }
  return { device, image };
}

async function detach(services: Services, request: ApiRequest): Promise<Answer> {
  const devices = request.query.get('device_types')?.split(',') ?? mediaNames;
  const invalid = devices.filter((device) => !mediaNames.includes(device));
  if (invalid.length > 0) {
    throw badRequest(`Invalid device type(s) ${invalid.join(', ')} (valid are disk, cdrom, floppy)`);
  }
  const node = mediaNode(services, request, 89, 'detach_virtual_media');
  return services.locks.with(node, () => {
    const removed = node.media.filter((media) => devices.includes(media.device));
    node.media = node.media.filter((media) => !devices.includes(media.device));
    for (const media of removed) services.activity.record(node, 'detach', media.image, null, 'request');
    services.store.save(node);
    return { status: 204 };
  });
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
  if (!(bootDevices as readonly unknown[]).includes(device)) {
    throw badRequest(`Invalid boot device ${plainText(device)} specified.`);
  }
  const boot_device = { boot_device: device ?? null, persistent: flag('persistent', body['persistent'] ?? false) };
  return services.locks.with(node, () => {
    node.fields.driver_internal_info = { ...node.fields.driver_internal_info, boot_device };
    services.store.save(node);
    return { status: 204 };
  });
}
