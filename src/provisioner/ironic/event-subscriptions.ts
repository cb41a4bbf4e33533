/** Subscriptions to the events of a BMC, through its vendor interface. Provisioner spec, section 7.14. */
import type { EventSubscription, SubscriptionResult, SubscriptionTarget } from '../provisioner.js';
import { complete, type OperationResult } from '../results.js';
import { IronicError, type JSONRecord } from './client/index.js';
import { registeredID } from './firmware-queries.js';
import { wrapped, type HostSession } from './host-session.js';
import { text } from './node.js';

/** @throws NeedsRegistration, IronicError */
export async function addSubscription(session: HostSession, wish: EventSubscription): Promise<SubscriptionResult> {
  const uuid = registeredID(session, 'could not subscribe');
  const body: JSONRecord = {
    Destination: wish.destination,
    ...(wish.context !== '' && { Context: wish.context }),
    ...(wish.headers.length > 0 && { HttpHeaders: wish.headers }),
  };
  const answer = await wrapped('could not subscribe', () => session.client.createSubscription(uuid, body));
  const subscriptionID = text(answer.Id);
  // Without its name it could never be removed again.
  if (subscriptionID === '') throw new IronicError('IRONIC_BAD_ANSWER', 'Ironic made a subscription and told no Id');
  return { result: complete, subscriptionID };
}

/** One question for the list, and one for each subscription of the BMC. @throws NeedsRegistration, IronicError */
export async function findSubscriptions(session: HostSession, wish: SubscriptionTarget): Promise<string[]> {
  const uuid = registeredID(session, 'could not look for subscriptions');
  const { client } = session;
  const members = await wrapped('could not look for subscriptions', () => client.subscriptions(uuid));
  const found: string[] = [];
  for (const id of members.map(idOf).filter((each) => each !== '')) {
    const known = await wrapped('could not look for subscriptions', () => client.subscription(uuid, id));
    if (text(known.Destination) === wish.destination && text(known.Context) === wish.context) found.push(id);
  }
  return found;
}

/** The last part of the link; some BMCs end it with a slash. */
function idOf(member: JSONRecord): string {
  return text(member['@odata.id']).replace(/\/+$/, '').split('/').at(-1) ?? '';
}

/** @throws NeedsRegistration, IronicError */
export async function removeSubscription(session: HostSession, subscriptionID: string): Promise<OperationResult> {
  const uuid = registeredID(session, 'could not unsubscribe');
  await wrapped('could not unsubscribe', () => session.client.deleteSubscription(uuid, subscriptionID));
  return complete;
}
