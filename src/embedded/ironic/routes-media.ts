import { badRequest, clientError, unsupported } from './api-error.js';
import { isRedfish } from './drivers.js';
import { isObject, pythonText, type Json } from './json.js';
import { requireResource } from './microversion.js';
import type { NodeRecord } from './node-record.js';
import type { Answer, ApiRequest, Route } from './router.js';
import { nodeOf } from './routes-nodes.js';
import type { Services } from './services.js';

/** What is in a machine's virtual drives. */
export function mediaRoutes(services: Services): Route[] {
  const template = '/v1/nodes/{node}/vmedia';
  return [
    { method: 'GET', template, handle: (request) => mediaList(services, request) },
    { method: 'POST', template, handle: (request) => attach(services, request) },
    { method: 'DELETE', template, handle: (request) => detach(services, request) },
  ];
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
  // The driver without hardware takes media, but cannot show them.
  const takes = isRedfish(node.fields.driver) || (node.fields.driver === 'fake-hardware' && since < 93);
  if (!takes) throw unsupported(node.fields.driver, extension);
  return node;
}

function mediaList(services: Services, request: ApiRequest): Answer {
  if (request.minor < 93) throw clientError(404, 'The resource could not be found.');
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
    services.activity.record(node, 'attach', null, image, 'request');
    services.drives.change(node, () => {
      node.media = [...node.media.filter((media) => media.device !== device), { device, image }];
    });
    return { status: 204 };
  });
}

function parseMedia(body: Json | undefined): { device: string; image: string } {
  if (!isObject(body)) throw schemaError(`${pythonText(body)} is not of type 'object'`);
  for (const key of ['device_type', 'image_url'])
    if (!(key in body)) throw schemaError(`'${key}' is a required property`);
  const { device_type: device, image_url: image } = body;
  if (typeof device !== 'string' || !mediaNames.includes(device)) {
    throw schemaError(`${pythonText(device)} is not one of ['disk', 'cdrom', 'floppy']`);
  }
  const unknown = Object.keys(body).find((key) => key !== 'device_type' && key !== 'image_url');
  if (unknown !== undefined) throw schemaError(`Additional properties are not allowed ('${unknown}' was unexpected)`);
  return { device, image: checkedImage(image) };
}

function checkedImage(image: Json | undefined): string {
  if (typeof image !== 'string') throw schemaError(`${pythonText(image)} is not of type 'string'`);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(image)?.[1] ?? '';
  if (!['http', 'https', 'nfs', 'cifs'].includes(scheme.toLowerCase())) {
    throw badRequest(`Unsupported or missing URL scheme: ${scheme}`);
  }
  return image;
}

const schemaError = (text: string) => badRequest(`Schema error for vmedia: ${text}`);

async function detach(services: Services, request: ApiRequest): Promise<Answer> {
  const devices = request.query.get('device_types')?.split(',') ?? mediaNames;
  const invalid = devices.filter((device) => !mediaNames.includes(device));
  if (invalid.length > 0) {
    throw badRequest(`Invalid device type(s) ${invalid.join(', ')} (valid are disk, cdrom, floppy)`);
  }
  const node = mediaNode(services, request, 89, 'detach_virtual_media');
  return services.locks.with(node, () => {
    const removed = node.media.filter((media) => devices.includes(media.device));
    for (const media of removed) services.activity.record(node, 'detach', media.image, null, 'request');
    services.drives.change(node, () => {
      node.media = node.media.filter((media) => !devices.includes(media.device));
    });
    return { status: 204 };
  });
}
