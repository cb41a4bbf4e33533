/** An image in the virtual drive of a host that is in use. Provisioner spec, section 7.15. */
import { IronchartError } from '../../errors.js';
import { NodeIsBusy } from '../results.js';
import { registeredID } from './firmware-queries.js';
import { wrapped, type HostSession } from './host-session.js';

const device = 'cdrom';

/** @throws NodeIsBusy, NeedsRegistration, IronicError; IronchartError when Ironic is too old to tell. */
export async function dataImageAttached(session: HostSession): Promise<boolean> {
  if (!session.features.vmediaQuery) {
    throw new IronchartError('IRONIC_TOO_OLD', 'virtual media cannot be read: Ironic API version 1.93 is needed');
  }
  const node = await session.node();
  // What is in the drive may be changing at this moment.
  if (node.reservation !== '') throw new NodeIsBusy();
  const drives = await wrapped('could not read virtual media', () => session.client.virtualMedia(node.uuid));
  return drives.some(({ inserted }) => inserted === true);
}

/** Ironic answers before it is done, and reserves the node meanwhile. @throws NeedsRegistration, IronicError */
export async function attachDataImage(session: HostSession, url: string): Promise<void> {
  const uuid = registeredID(session, 'could not attach the data image');
  await wrapped('could not attach the data image', () =>
    session.client.attachVirtualMedia(uuid, { device_type: device, image_url: url }),
  );
  session.drop(uuid);
}

/** As for attaching. @throws NeedsRegistration, IronicError */
export async function detachDataImage(session: HostSession): Promise<void> {
  const uuid = registeredID(session, 'could not detach the data image');
  await wrapped('could not detach the data image', () => session.client.detachVirtualMedia(uuid, device));
  session.drop(uuid);
}
