/** A life of hosts in which an operator does whatever it ever does to the objects of the API server. */
import { kinds } from '../../src/apis/index.js';
import type { Fault, FaultRequest } from '../../src/embedded/kube/index.js';
import { eventually } from './eventually.js';
import { verdict } from './firmware-objects.js';
import { type HostDesk, image } from './host-desk.js';

const agentImage = { architecture: 'x86_64', acceptFormats: ['initrd'] };
const companions = ['hostfirmwaresettings', 'hostfirmwarecomponents', 'preprovisioningimages'];
const statuses = ['baremetalhosts', 'bmceventsubscriptions', ...companions];

/** The first change of each of these meets somebody who was sooner. */
export class Conflicts {
  /** Such as `dataimages/status`, `dataimages/` for the object itself. */
  readonly unmet: Set<string>;

  constructor(more: readonly string[] = []) {
    this.unmet = new Set([...statuses.map((plural) => `${plural}/status`), 'dataimages/', ...more]);
  }

  readonly fault = ({ verb, resource, subresource }: FaultRequest): (Fault & { status: number }) | undefined => {
    const [plural = ''] = resource.split('.');
    return verb === 'patch' && this.unmet.delete(`${plural}/${subresource}`) ? { status: 409 } : undefined;
  };
}

/** @param count how often the machine of a host was told to do something, such as `inspect` */
export async function wholeLife(desk: HostDesk, count: (name: string, action: string) => number): Promise<void> {
  // What people make before the host comes to belong to it.
  await desk.companion('settings', 'life', { spec: { settings: {} } });
  await desk.companion('policies', 'life', { spec: {} });
  await desk.companion('images', 'life', { spec: agentImage });
  await desk.companion('dataImages', 'life', { spec: { url: 'http://images.example.com/data.iso' } });
  const { bmcEventSubscription } = kinds;
  await desk.api.create(bmcEventSubscription, {
    ...{ apiVersion: 'metal3.io/v1alpha1', kind: bmcEventSubscription.kind },
    metadata: { namespace: desk.namespace, name: 'alerts' },
    spec: { hostName: 'life', destination: 'https://events.example.com/' },
  });
  await desk.addRedfish('life', { spec: { image: undefined } });
  await desk.reaches('life', 'available');
  await desk.annotate('life', { 'inspect.metal3.io': '' });
  await desk.until('life', 'a second inspection', () => count('life', 'inspect') === 2);
  await desk.reaches('life', 'available');
  const updates = [{ component: 'bios', url: 'http://images.example.com/bios.bin' }];
  await desk.companion('components', 'life', { spec: { updates }, status: { conditions: verdict() } });
  await desk.until('life', 'the update', () => count('life', 'clean') === 1);
  await desk.reaches('life', 'available');
  await desk.change('life', { spec: { image } });
  await desk.settled('life');
  await desk.annotate('life', { 'reboot.metal3.io': '' });
  await desk.until('life', 'the reboot', ({ status }) => status?.poweredOn === false);
  await desk.settled('life');
  await desk.addRedfish('asking', { spec: { image: undefined } });
  await desk.reaches('asking', 'available');
  for (const name of ['life', 'asking']) {
    await desk.remove(name);
    await desk.gone(name);
  }
}

/** A schema of the firmware goes with the last host of its namespace that shares it. */
export function endOfSchemas({ api, namespace }: HostDesk): Promise<true> {
  return eventually('the end of the schemas', async () =>
    (await api.list(kinds.firmwareSchema, { namespace })).items.length === 0 ? true : undefined,
  );
}

const owned = ['secrets', 'hostfirmwaresettings', 'hostfirmwarecomponents', 'hostupdatepolicies', 'dataimages'];

/** Not called in that life: what clusters that guard owner references want of whoever sets one. */
export const rightsOfOwners = ['update baremetalhosts/finalizers', ...owned.map((resource) => `delete ${resource}`)];
