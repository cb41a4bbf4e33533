/** Which of a BMC's subscriptions may be an object's own. Pure. */
import type { KubeObject } from '../../kube/index.js';

interface Wire {
  readonly spec?: { readonly hostName?: string };
  readonly status?: { readonly subscriptionID?: string };
}

/** IDs that other objects for the same host have noted. */
export function idsOfOthers(object: KubeObject, all: Iterable<KubeObject>): string[] {
  const { hostName } = (object as Wire).spec ?? {};
  return [...all]
    .filter((other) => other.metadata.uid !== object.metadata.uid && isFor(other, object.metadata.namespace, hostName))
    .map((other) => (other as Wire).status?.subscriptionID ?? '')
    .filter((id) => id !== '');
}

function isFor(object: KubeObject, namespace: string | undefined, hostName: string | undefined): boolean {
  return object.metadata.namespace === namespace && (object as Wire).spec?.hostName === hostName;
}

/** The first that nobody is known to have; undefined: there is none. */
export function unclaimed(found: readonly string[], claimed: readonly string[]): string | undefined {
  return found.find((id) => !claimed.includes(id));
}
