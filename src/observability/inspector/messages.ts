/**
 * What leaves the process for an inspector, by an allow-list: the chart as it is written, where an actor is in it, the types
 * of events, and three words of its context. Facts, drafts, services, inputs and outputs of actors hold specs, user data and
 * credentials; nothing here ever reads them, so nothing here can let them out. The shapes are those of the Stately
 * inspector's protocol, version 0.7.
 */
import type { InspectionEvent } from 'xstate';

/** A receiver takes a message for one of its own by the presence of this. */
const protocol = '0.7.2';

interface Head {
  readonly sessionId: string;
  readonly rootId: string;
  /** Milliseconds since the epoch, as text. */
  readonly createdAt: string;
  readonly id: null;
  readonly _version: string;
}

export interface ShownSnapshot {
  readonly status: string;
  /** Undefined for an actor that is no chart. */
  readonly value: unknown;
  readonly context: { readonly step?: string; readonly operationalStatus?: string; readonly result?: string };
}

export type ActorMessage = Head & {
  readonly type: '@xstate.actor';
  readonly name: string;
  readonly parentId: string | undefined;
  /** The chart's config as JSON. */
  readonly definition: string;
  readonly snapshot: ShownSnapshot;
};
export type EventMessage = Head & { readonly type: '@xstate.event'; readonly event: { readonly type: string } };
export type SnapshotMessage = Head & {
  readonly type: '@xstate.snapshot';
  readonly event: { readonly type: string };
  readonly snapshot: ShownSnapshot;
};
export type Message = ActorMessage | EventMessage | SnapshotMessage;

/** Which actor an inspection event is about, in names that stay the same from pass to pass. */
export interface Subject {
  readonly sessionId: string;
  readonly rootId: string;
  readonly parentId: string | undefined;
  readonly definition: string;
}

interface ChartLogic {
  readonly id: string;
  readonly config: object;
}

/** The part of an actor that is looked at. */
interface Inspected {
  readonly logic?: Partial<ChartLogic>;
  readonly _parent?: unknown;
}

const definitions = new WeakMap<object, string>();

/**
 * The chart that the event is about; undefined for actors that are no charts: what a promise does shows in the chart that
 * waits for it. Each pass makes a new actor, so the session is named after the host (`key`) and, below it, after the chart.
 */
export function subjectOf({ actorRef }: InspectionEvent, key: string): Subject | undefined {
  const { logic, _parent: parent } = actorRef as unknown as Inspected;
  if (logic?.id === undefined || logic.config === undefined) return undefined;
  const isRoot = parent === undefined;
  return {
    sessionId: isRoot ? key : `${key}/${logic.id}`,
    rootId: key,
    parentId: isRoot ? undefined : key,
    definition: definitionOf(logic.config),
  };
}

/** A chart's config is source text: it names everything, and its few functions are left out. */
function definitionOf(config: object): string {
  const known = definitions.get(config);
  if (known !== undefined) return known;
  const text = JSON.stringify(config, (_key, value: unknown) => (typeof value === 'function' ? undefined : value));
  definitions.set(config, text);
  return text;
}

const operationalStatuses = new Set(['OK', 'discovered', 'error', 'delayed', 'detached', 'servicing']);
const plainName = /^\w{1,64}$/;

export function shownSnapshot(snapshot: unknown): ShownSnapshot {
  const { status, value, context } = snapshot as { status?: unknown; value?: unknown; context?: unknown };
  return { status: typeof status === 'string' ? status : 'active', value, context: shownContext(context) };
}

function shownContext(context: unknown): ShownSnapshot['context'] {
  const { step, draft } = objectOf(context);
  const { status, result } = objectOf(draft);
  const { operationalStatus } = objectOf(status);
  const { kind } = objectOf(result);
  const isOneOf = (text: unknown) => typeof text === 'string' && operationalStatuses.has(text);
  return {
    ...(isName(step) ? { step } : {}),
    ...(isOneOf(operationalStatus) ? { operationalStatus: operationalStatus as string } : {}),
    ...(isName(kind) ? { result: kind } : {}),
  };
}

function isName(text: unknown): text is string {
  return typeof text === 'string' && plainName.test(text);
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function actorMessage(
  { definition, parentId, ...of }: Subject,
  snapshot: ShownSnapshot,
  at: number,
): ActorMessage {
  const name = parentId === undefined ? of.sessionId : of.sessionId.slice(parentId.length + 1);
  return { type: '@xstate.actor', name, parentId, definition, snapshot, ...head(of, at) };
}

export function eventMessage(of: Subject, type: string, at: number): EventMessage {
  return { type: '@xstate.event', event: { type }, ...head(of, at) };
}

export function snapshotMessage(of: Subject, type: string, snapshot: ShownSnapshot, at: number): SnapshotMessage {
  return { type: '@xstate.snapshot', event: { type }, snapshot, ...head(of, at) };
}

function head({ sessionId, rootId }: Pick<Subject, 'sessionId' | 'rootId'>, at: number): Head {
  return { sessionId, rootId, createdAt: String(at), id: null, _version: protocol };
}
