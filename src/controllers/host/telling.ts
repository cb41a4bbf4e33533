/**
 * Events of one pass. Those of the work itself are queued and go out, in order, once the pass is saved; a pass that failed
 * half-way has nothing to tell. The same event twice in a row within a minute is told once.
 */
import type { BareMetalHost } from '../../apis/index.js';
import { groupVersion } from '../../apis/index.js';
import type { Clock } from '../../clock.js';
import type { EventRecorder, EventSpec } from '../../kube/index.js';

/** Under which clients look for warnings. */
const warningComponent = 'baremetalhost-controller';
const sameWithinMs = 60_000;
const maxRemembered = 20_000;

/** The last event told about each host. */
export class EventMemory {
  readonly #last = new Map<string, { text: string; at: number }>();

  constructor(private readonly clock: Clock) {}

  isRepeated(uid: string, reason: string, message: string): boolean {
    // Each failure is told: its repetition is the news.
    if (reason.endsWith('Error')) return false;
    const [now, text, last] = [this.clock.monotonic(), `${reason} ${message}`, this.#last.get(uid)];
    this.#last.delete(uid);
    this.#last.set(uid, { text, at: now });
    const [oldest] = this.#last.keys();
    if (this.#last.size > maxRemembered && oldest !== undefined) this.#last.delete(oldest);
    return last !== undefined && last.text === text && now - last.at < sameWithinMs;
  }
}

export class Telling {
  readonly #queued: { reason: string; message: string }[] = [];

  constructor(
    private readonly events: EventRecorder,
    private readonly memory: EventMemory,
    private readonly host: BareMetalHost,
  ) {}

  queue(reason: string, message: string): void {
    if (reason !== '') this.#queued.push({ reason, message });
  }

  publishQueued(): void {
    for (const { reason, message } of this.#queued.splice(0)) this.now(reason, message);
  }

  /** For what a person has to mend in another object than the host. */
  warn(reason: string, message: string): void {
    this.#publish({ reason, message, type: 'Warning', component: warningComponent });
  }

  now(reason: string, message: string): void {
    this.#publish({ reason, message });
  }

  #publish(told: Pick<EventSpec, 'reason' | 'message' | 'type' | 'component'>): void {
    const { reason, message } = told;
    const { namespace = '', name = '', uid = '' } = this.host.metadata;
    if (this.memory.isRepeated(uid, reason, message)) return;
    this.events.publish({
      subject: { apiVersion: groupVersion, kind: 'BareMetalHost', namespace, name, uid },
      ...told,
      related: this.host.spec.consumerRef,
    });
  }
}
