import type { Parsed, Reply } from '../../support/ironic-api/client.js';

/** What a server did on one step of a conversation, as far as each server has to do it. */
export interface Observation {
  /** What was asked, with the version. */
  asked: string;
  body?: unknown;
  status: number;
  /** Text of the error, or all of it where it is not in the usual form. */
  error?: unknown;
  answer?: unknown;
  location?: string;
  /** The version that the server answered in, where it is not the one that was asked for. */
  version?: string | null;
  /** How long the server took, where it is long. */
  seconds?: number;
  /** The states that the node went through, each with its target. */
  states?: string[];
}

/** Objects that occur often, by name: what is seen later is told as the difference to one of them. */
export type Models = Readonly<Record<string, Parsed>>;

/** Fields that hold what each server needs for itself, or learns from time to time: none is compared but by type. */
const inner = new Set(['driver_internal_info', 'alive', 'health']);

/** Fields that hold addresses of the object's own. */
const references = new Set(['links', 'ports', 'states', 'portgroups', 'volume']);

/** The answer without what is a server's own affair. Objects that are like a model are told by the difference. */
export function abridged(value: Parsed, models: Models): Parsed {
  if (Array.isArray(value)) return value.map((each) => abridged(each, models));
  if (typeof value !== 'object' || value === null) return value;
  const own = typeof value.uuid === 'string' ? value.uuid : undefined;
  const shown: Parsed = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, shownMember(key, member, own, models)]),
  );
  const keys = Object.keys(shown).sort().join();
  const same = Object.entries(models)
    .filter(([, model]) => Object.keys(model).sort().join() === keys)
    .map(([like, model]) => ({ like, but: difference(shown, model) }))
    .sort((a, b) => Object.keys(a.but).length - Object.keys(b.but).length);
  return same[0] ?? shown;
}

function shownMember(key: string, member: Parsed, own: string | undefined, models: Models): Parsed {
  if (inner.has(key)) return key === 'health' ? 'any' : typeof member;
  // The maker of a machine, found with its controller.
  if (key === 'properties' && typeof member.vendor === 'string') return { ...member, vendor: 'string' };
  // Sets, in any order.
  if (key.startsWith('enabled_')) return [...member].sort();
  if (own !== undefined && references.has(key)) return JSON.parse(JSON.stringify(member).replaceAll(own, '@self'));
  return abridged(member, models);
}

function difference(shown: Parsed, model: Parsed): Parsed {
  const text = JSON.stringify;
  return Object.fromEntries(Object.entries(shown).filter(([key, value]) => text(value) !== text(model[key])));
}

/** The error of an answer: its text when it is a client's fault and in the usual form. */
export function errorIn(body: Parsed): unknown {
  if (typeof body?.error_message !== 'string' || Object.keys(body).length > 1) return body;
  const packed = JSON.parse(body.error_message);
  const isUsual = packed.faultcode === 'Client' && packed.debuginfo === null && Object.keys(packed).length === 3;
  return isUsual ? packed.faultstring : packed;
}

export function versionOf(reply: Reply): string | null {
  return reply.headers.get('x-openstack-ironic-api-version');
}
