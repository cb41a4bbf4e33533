/** The stream of what the charts do: as it happens to whoever listens, and what a newcomer must know first. Bounded. */
import type { InspectionEvent } from 'xstate';
import type { Clock } from '../../clock.js';
import { actorMessage, eventMessage, type Message, type ShownSnapshot, shownSnapshot } from './messages.js';
import { snapshotMessage, type Subject, subjectOf } from './messages.js';

export interface StreamLimits {
  /** Charts that are remembered; beyond, those that were silent longest are forgotten. */
  readonly actors: number;
  /** Events that are told to a newcomer. */
  readonly events: number;
}

/** A pass starts and stops its actor; to whoever looks on, the host goes on living. */
const framing = new Set(['xstate.init', 'xstate.stop']);

interface Known {
  readonly subject: Subject;
  readonly snapshot: ShownSnapshot;
}

export class InspectionStream {
  readonly #actors = new Map<string, Known>();
  readonly #events: Message[] = [];
  readonly #listeners = new Set<(message: Message) => void>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: StreamLimits = { actors: 2_000, events: 200 },
  ) {}

  /** Takes one inspection event of the host with this key. */
  take(key: string, event: InspectionEvent): void {
    if (event.type !== '@xstate.event' && event.type !== '@xstate.snapshot') return;
    const subject = subjectOf(event, key);
    if (subject === undefined) return;
    const { type } = event.event;
    if (event.type === '@xstate.event') this.#takeEvent(subject, type);
    else if (type !== 'xstate.stop') this.#takeSnapshot(subject, type, shownSnapshot(event.snapshot));
  }

  #takeEvent(subject: Subject, type: string): void {
    if (framing.has(type)) return;
    const message = eventMessage(subject, type, this.clock.now());
    this.#events.push(message);
    if (this.#events.length > this.limits.events) this.#events.shift();
    this.#tell(message);
  }

  #takeSnapshot(subject: Subject, type: string, snapshot: ShownSnapshot): void {
    const isNew = !this.#actors.delete(subject.sessionId);
    this.#actors.set(subject.sessionId, { subject, snapshot });
    if (this.#actors.size > this.limits.actors) this.#actors.delete([...this.#actors.keys()][0] ?? '');
    const now = this.clock.now();
    this.#tell(isNew ? actorMessage(subject, snapshot, now) : snapshotMessage(subject, type, snapshot, now));
  }

  /** What a newcomer is told first: every chart where it is now, roots before what they invoke; then the last events. */
  present(): Message[] {
    const now = this.clock.now();
    const actors = [...this.#actors.values()].map(({ subject, snapshot }) => actorMessage(subject, snapshot, now));
    const isRoot = ({ parentId }: { parentId: string | undefined }) => parentId === undefined;
    return [...actors.filter(isRoot), ...actors.filter((actor) => !isRoot(actor)), ...this.#events];
  }

  /** @returns ends it. */
  listen(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(message: Message): void {
    for (const listener of this.#listeners) listener(message);
  }
}
