/** What the rules of a kind look like from outside. Rules are pure: they are told of other objects, and fetch none. */
import { isDeepStrictEqual } from 'node:util';
import { annotations, type BareMetalHostSpec, type KindManifest } from '../../apis/index.js';
import type { Findings } from './verdict.js';

/** What the rules look at of another host; it comes as the API server keeps it. */
export interface HostView {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
  readonly spec?: Partial<Pick<BareMetalHostSpec, 'bmc' | 'bootMACAddress' | 'networkInterfaces'>>;
}

/** The other hosts, as far as they are known. */
export interface Neighbours {
  /** undefined: nobody knows them at the moment. What depends on them is then refused, or not warned of. */
  readonly hosts: readonly HostView[] | undefined;
}

export const nobody: Neighbours = { hosts: undefined };

/** Each judges an object that was read by `schema`; `old` is what it was before. */
export interface KindRules<T> {
  readonly schema: KindManifest['schema'];
  create(object: T, findings: Findings, neighbours: Neighbours): void;
  update(object: T, old: T, findings: Findings, neighbours: Neighbours): void;
  remove?(old: T, findings: Findings, neighbours: Neighbours): void;
}

/** For kinds of which every version is judged by itself. */
export function sameForAll<T extends Judged>(
  schema: KindManifest['schema'],
  check: (object: T, findings: Findings) => void,
): KindRules<T> {
  return {
    schema,
    create: check,
    update(object, old, findings) {
      if (!isUntouched(object, old)) check(object, findings);
    },
  };
}

interface Judged {
  readonly metadata: { readonly annotations?: Record<string, string> };
  readonly spec: unknown;
}

/**
 * Nothing that is judged has changed, but for annotations that went. What was stored before a rule was there must not keep the
 * operator, or a deletion, from touching the metadata.
 */
export function isUntouched(object: Judged, old: Judged): boolean {
  const before = old.metadata.annotations ?? {};
  return (
    isDeepStrictEqual(object.spec, old.spec) &&
    Object.entries(object.metadata.annotations ?? {}).every(([name, text]) => !isJudged(name) || before[name] === text)
  );
}

function isJudged(annotation: string): boolean {
  const { status, inspect, hardwareDetails, reboot, rebootPrefix } = annotations;
  return (
    [status, inspect, hardwareDetails, reboot].some((one) => one === annotation) || annotation.startsWith(rebootPrefix)
  );
}
