/** What a person asks of a host by annotations: pure readings of their values (host-lifecycle spec §2.3, §5.1, §10). */
import type { BareMetalHost } from '../src/apis/index.js';

export const rebootAnnotation = 'reboot.metal3.io';
export const inspectAnnotation = 'inspect.metal3.io';
/** Ours: which `reboot.metal3.io/<key>` requests a host that must not be powered off has been rebooted for. */
export const rebootedAnnotation = 'ironchart.io/rebooted';
export const detachedAnnotation = 'baremetalhost.metal3.io/detached';

type Annotated = Pick<BareMetalHost, 'metadata'>;

function annotations(host: Annotated): Readonly<Record<string, string>> {
  return host.metadata.annotations ?? {};
}

/** Its fields by their names in small letters: clients may write them in any case, as admission takes them. */
function parseObject(value: string): Record<string, unknown> | undefined {
  if (value === '') return {};
  try {
    const parsed: unknown = JSON.parse(value) ?? {};
    if (typeof parsed !== 'object' || Array.isArray(parsed)) return undefined;
    return Object.fromEntries(
      Object.entries(parsed ?? {}).map(([name, field]) => [name.toLowerCase(), field as unknown]),
    );
  } catch {
    return undefined;
  }
}

/** What the value asks for; undefined: it is no JSON of these fields, and asks for nothing in particular. */
function parseWish(value: string, types: FieldTypes) {
  const wish = parseObject(value);
  return wish !== undefined && isTyped(wish, types) ? wish : undefined;
}

type FieldTypes = Readonly<Record<string, 'string' | 'boolean'>>;

/** null stands for a field that is left out. */
function isTyped(wish: Readonly<Record<string, unknown>>, types: FieldTypes): boolean {
  return Object.entries(types).every(([field, type]) => (wish[field] ?? null) === null || typeof wish[field] === type);
}

export interface RebootRequest {
  /** At least one annotation asks for a reboot. */
  readonly requested: boolean;
  readonly mode: 'hard' | 'soft';
  /** Keys whose value is not the JSON that it should be: what cannot be read of it counts as soft and unforced. */
  readonly invalid: readonly string[];
}

const asksForReboot = (key: string) => key === rebootAnnotation || key.startsWith(`${rebootAnnotation}/`);
const rebootFields: FieldTypes = { mode: 'string', force: 'boolean' };

/** `expectForce`: only annotations with `"force": true` count. */
export function rebootRequest(host: Annotated, expectForce: boolean): RebootRequest {
  let requested = false;
  let mode: 'hard' | 'soft' = 'soft';
  const invalid: string[] = [];
  for (const [key, value] of Object.entries(annotations(host)).filter(([name]) => asksForReboot(name))) {
    const wish = parseObject(value);
    if (wish === undefined || !isTyped(wish, rebootFields)) invalid.push(key);
    if (expectForce && wish?.force !== true) continue;
    requested = true;
    if (wish?.mode === 'hard') mode = 'hard';
  }
  return { requested, mode, invalid };
}

/** The requests that their clients own and remove, in a form that is equal only if nothing about them changed; "" for none. */
export function suffixedReboots(host: Annotated): string {
  const entries = Object.entries(annotations(host)).filter(([key]) => key.startsWith(`${rebootAnnotation}/`));
  return entries.length === 0 ? '' : JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A host that must not be powered off reboots once for each change of its requests, however long they stay. */
export function isRebootedAlready(host: Annotated): boolean {
  const suffixed = suffixedReboots(host);
  return suffixed !== '' && !hasBaseReboot(host) && annotations(host)[rebootedAnnotation] === suffixed;
}

/** The annotation that the operator itself removes once the host has been seen off. */
export function hasBaseReboot(host: Annotated): boolean {
  return annotations(host)[rebootAnnotation] !== undefined;
}

/** A forced reboot aborts waits of inspection and deployment. */
export function isRebootForced(host: Annotated): boolean {
  return rebootRequest(host, true).requested;
}

export function isInspectionDisabled(host: Pick<BareMetalHost, 'metadata' | 'spec'>): boolean {
  return host.spec?.inspectionMode === 'disabled' || annotations(host)[inspectAnnotation] === 'disabled';
}

/** Present with any value but `disabled`. */
export function isInspectionRequested(host: Annotated): boolean {
  const value = annotations(host)[inspectAnnotation];
  return value !== undefined && value !== 'disabled';
}

export interface DetachRequest {
  readonly present: boolean;
  readonly force: boolean;
  /** A deletion has to wait until the host is attached again. */
  readonly delaysDeletion: boolean;
}

export function detachRequest(host: Annotated, isDetached: boolean): DetachRequest {
  const value = annotations(host)[detachedAnnotation];
  if (value === undefined) return { present: false, force: false, delaysDeletion: isDetached };
  const wish = parseWish(value, { deleteaction: 'string', force: 'boolean' });
  return { present: true, force: wish?.force === true, delaysDeletion: wish?.deleteaction === 'delay' };
}
