/** Which machines of a back end have lost their hosts. Pure. */

export interface HostView {
  /** Whether there is a BareMetalHost of this key (`namespace/name`). */
  readonly has: (key: string) => boolean;
  /** Whose hosts are seen at all; empty: all. */
  readonly namespaces: readonly string[];
}

/** Keys without a host, of namespaces that are watched; each once, sorted. */
export function withoutHost(known: readonly string[], { has, namespaces }: HostView): string[] {
  const isWatched = (key: string) => namespaces.length === 0 || namespaces.includes(key.slice(0, key.indexOf('/')));
  return [...new Set(known)].filter((key) => isWatched(key) && !has(key)).sort();
}

/**
 * What two looks have found, one after the other. A host that was being made or removed while one of them was taken is not
 * seen twice.
 */
export function seenTwice(former: readonly string[], latter: readonly string[]): string[] {
  return latter.filter((key) => former.includes(key));
}
