/** The firmware of a host as its back end tells it, for the controllers of settings and of components. */
import { messageOf } from '../errors.js';
import { type Provisioner, type ProvisionerFactory, ProvisionerNotReady } from '../provisioner/index.js';
import { type HostView, provisionerOf } from './host-view.js';

/** What was read, or why nothing could be. */
export type FirmwareReading<T> = { readonly value: T } | { readonly why: string };

/** @throws ProvisionerNotReady; and whatever was going on when the signal came: neither says anything of the host */
export async function readFirmware<T>(
  factory: ProvisionerFactory,
  key: string,
  host: HostView,
  signal: AbortSignal,
  ask: (provisioner: Provisioner) => Promise<T>,
): Promise<FirmwareReading<T>> {
  try {
    return { value: await ask(await provisionerOf(factory, key, host, signal)) };
  } catch (error) {
    if (signal.aborted || error instanceof ProvisionerNotReady) throw error;
    return { why: messageOf(error) };
  }
}
