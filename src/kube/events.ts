/**
 * core/v1 Events, written in the background and in order: nobody waits for one, and one that cannot be written is told to the
 * log and dropped. The queue is bounded; when the server does not keep up the oldest go.
 */
import { type Clock, timestamp } from '../clock.js';
import { messageOf } from '../errors.js';
import type { KubeApi } from './api.js';
import { KubeError } from './errors.js';
import { eventKind, type KubeObject } from './kinds.js';

export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface EventSource {
  readonly component: string;
  readonly reportingComponent: string;
}

export interface EventSpec {
  readonly subject: EventSubject;
  readonly reason: string;
  readonly message: string;
  readonly type?: 'Normal' | 'Warning';
  readonly related?: object | undefined;
  /** Default: that of the recorder. */
  readonly component?: string | undefined;
}

const maxQueued = 5_000;
const maxMessage = 1_024;

export class EventRecorder {
  readonly #queue: KubeObject[] = [];
  #running: Promise<void> | undefined;

  constructor(
    private readonly api: KubeApi,
    private readonly clock: Clock,
    private readonly source: EventSource,
    private readonly onError: (message: string) => void,
  ) {}

  publish(spec: EventSpec): void {
    this.#queue.push(this.#render(spec));
    if (this.#queue.length > maxQueued) {
      this.#queue.shift();
      this.onError('an event was dropped: the API server takes them too slowly');
    }
    this.#running ??= this.#drain();
  }

  /** Resolves when everything published so far was tried. */
  async flush(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #drain(): Promise<void> {
    // The first request goes out in a later turn: publishing costs the caller nothing.
    await Promise.resolve();
    for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
      try {
        await this.api.create(eventKind, event);
      } catch (error) {
        // Nobody could read it much longer.
        if (error instanceof KubeError && error.isNamespaceEnding) continue;
        this.onError(`event ${String(event.reason)} was not written: ${messageOf(error)}`);
      }
    }
    this.#running = undefined;
  }

  #render({ subject, reason, message, type = 'Normal', related, component }: EventSpec): KubeObject {
    const now = timestamp(this.clock.now());
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { generateName: `${reason}-`, namespace: subject.namespace } as unknown as KubeObject['metadata'],
      involvedObject: subject,
      reason,
      message: message.slice(0, maxMessage),
      type,
      source: { component: component ?? this.source.component },
      reportingComponent: this.source.reportingComponent,
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      ...(related === undefined ? {} : { related }),
    };
  }
}
