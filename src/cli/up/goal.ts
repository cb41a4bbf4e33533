/** `--until`: which hosts count, and which have got there. Pure. */
import { annotations, type BareMetalHost, hasBMCDetails } from '../../apis/index.js';
import type { PassReport } from '../../controllers/host/index.js';
import { keyOf } from '../../kube/index.js';

/** What came of the last look at a host in this run; undefined: there was none yet. */
export type LastLook = (key: string) => Pick<PassReport, 'outcome' | 'isSilent'> | undefined;

export type Standing =
  | { readonly kind: 'there' }
  | { readonly kind: 'underway'; readonly why: string }
  /** Its own manifest, or its BMC, makes it impossible: reported, not waited for. */
  | { readonly kind: 'impossible'; readonly why: string };

export function standingOf(host: BareMetalHost, goal: string, lastLook: LastLook): Standing {
  const state = host.status?.provisioning.state ?? '';
  if (state === goal) return { kind: 'there' };
  const reason = obstacle(host, goal, lastLook(keyOf(host)));
  return reason === undefined ? { kind: 'underway', why: delay(host, state) } : { kind: 'impossible', why: reason };
}

function obstacle(host: BareMetalHost, goal: string, look: ReturnType<LastLook>): string | undefined {
  return setAside(host) ?? (goal === 'provisioned' ? wantsNoImage(host) : undefined) ?? refused(host, look);
}

function delay({ status }: BareMetalHost, state: string): string {
  return status?.errorMessage || status?.lifecycle?.waitsFor || `it is ${state || 'not looked at yet'}`;
}

function setAside({ metadata, spec }: BareMetalHost): string | undefined {
  const asked = metadata.annotations ?? {};
  if (annotations.paused in asked) return 'it is paused';
  if (annotations.detached in asked) return 'it is detached';
  return hasBMCDetails({ spec }) ? undefined : 'it has no BMC details';
}

function wantsNoImage({ spec }: BareMetalHost): string | undefined {
  if (spec.externallyProvisioned) return 'it is provisioned by others';
  if (!spec.image?.url && !spec.customDeploy?.method) return 'it asks for no image';
  return spec.online ? undefined : 'it is to be offline';
}

/** Errors that only another manifest, or another Secret, mends. */
const ofItsOwnMaking: ReadonlySet<string> = new Set(['registration error', 'preparation error']);

/** An error of an earlier run may be mended by now, and a BMC that has given no answer may give one soon. */
function refused({ status }: BareMetalHost, look: ReturnType<LastLook>): string | undefined {
  if (look?.outcome !== 'failed' || look.isSilent) return undefined;
  return ofItsOwnMaking.has(status?.errorType ?? '') ? status?.errorMessage : undefined;
}

export interface Tally {
  readonly isReached: boolean;
  readonly underway: readonly { readonly key: string; readonly why: string }[];
  readonly impossible: readonly { readonly key: string; readonly why: string }[];
}

export function tally(hosts: readonly BareMetalHost[], goal: string, lastLook: LastLook): Tally {
  const underway: { key: string; why: string }[] = [];
  const outside: { key: string; why: string }[] = [];
  for (const host of hosts) {
    const standing = standingOf(host, goal, lastLook);
    const key = keyOf(host);
    if (standing.kind === 'underway') underway.push({ key, why: standing.why });
    if (standing.kind === 'impossible') outside.push({ key, why: standing.why });
  }
  return { isReached: hosts.length > 0 && underway.length === 0, underway, impossible: outside };
}
