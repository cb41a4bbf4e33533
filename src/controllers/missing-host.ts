/** What is said on an object of a host's name while there is no such host, where that would be seen nowhere. Pure, but for `tell`. */
import type { Condition } from '../apis/index.js';
import type { Decision, KubeObject } from '../kube/index.js';
import { after, done } from './attempt.js';
import { conditionOf, withFindings } from './conditions.js';

export const missingHost =
  'no BareMetalHost of this name is in this namespace: create it, or give this object the name of a host';

/** Milliseconds that whoever writes both may take from one to the other. */
const graceMs = 10_000;

/** `silent`: it goes with the host that it belongs to. */
export type Word = { readonly kind: 'tell' | 'silent' } | { readonly kind: 'wait'; readonly ms: number };

/** @param now milliseconds of the epoch */
export function wordOnMissingHost({ metadata }: KubeObject, now: number): Word {
  const { ownerReferences = [], creationTimestamp = '', deletionTimestamp } = metadata;
  const isOwned = ownerReferences.some(({ kind }) => kind === 'BareMetalHost');
  if (isOwned || deletionTimestamp !== undefined) return { kind: 'silent' };
  const age = now - Date.parse(creationTimestamp);
  return age < graceMs ? { kind: 'wait', ms: Math.min(graceMs, graceMs - age) } : { kind: 'tell' };
}

/** Should a host come, that brings the object into the queue. @param now milliseconds of the epoch */
export async function attendMissingHost(
  object: KubeObject,
  now: number,
  tell: () => Promise<unknown>,
): Promise<Decision> {
  const word = wordOnMissingHost(object, now);
  if (word.kind === 'wait') return after(word.ms);
  if (word.kind === 'tell') await tell();
  return done;
}

/** Makes conditions of those that are there; undefined: there is no news. @param now RFC 3339 */
export type Words = (
  known: readonly Condition[] | undefined,
  generation: number | undefined,
  now: string,
) => Condition[] | undefined;

const type = 'ChangeDetected';
const reason = 'HostMissing';

/** Of firmware that nobody can read. @param now RFC 3339 */
export function withoutHost(
  known: readonly Condition[] | undefined,
  generation: number | undefined,
  now: string,
): Condition[] {
  return withFindings(known, [{ type, status: 'Unknown', reason, message: missingHost }], generation, now);
}

/** Once the host is there, until its firmware is read. Undefined: nothing else was said before. */
export function withHost(
  known: readonly Condition[] | undefined,
  generation: number | undefined,
  now: string,
): Condition[] | undefined {
  if (conditionOf(known, type)?.reason !== reason) return undefined;
  const message = 'the firmware of the host was not read yet';
  return withFindings(known, [{ type, status: 'Unknown', reason: 'ReadFailed', message }], generation, now);
}
