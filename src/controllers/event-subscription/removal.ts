/** When a subscription that is being deleted may go. Pure. */
import { states } from '../../apis/index.js';
import type { HostView } from '../host-view.js';

/**
 * `go`: there is nothing to unsubscribe from. `abandon`: the BMC may hold it still, and is out of reach for good. `rest`: until
 * the host changes. `ask`: unsubscribe.
 */
export type Removal = 'go' | 'abandon' | 'rest' | 'ask';

export function removalOf(subscriptionID: string, host: HostView | undefined): Removal {
  if (subscriptionID === '' || host === undefined) return 'go';
  if (host.provisionerID !== '') return 'ask';
  return isAway(host) ? 'abandon' : 'rest';
}

/** Others are on their way to be registered, or registered anew. */
function isAway({ state, operationalStatus, isToBeDetached }: HostView): boolean {
  return isToBeDetached || operationalStatus === 'detached' || state === states.unmanaged;
}

/** Milliseconds from its deletion on that a subscription waits to be unsubscribed from. */
export const patienceMs = 600_000;

/**
 * Ironic answers a lost subscription, a refusal of the BMC and a missing node alike, so what will never succeed cannot be told
 * from what will: time decides.
 */
export function isPatienceOver(deletionTimestamp: string | undefined, now: number): boolean {
  return deletionTimestamp !== undefined && now - Date.parse(deletionTimestamp) >= patienceMs;
}
