/** Since when this process knows the notes of claims, and which of them the API server refused to act upon. */
import type { Clock } from '../../clock.js';
import type { Choice } from './host-facts.js';
import { noteOf } from './host-facts.js';

/**
 * Milliseconds after which no write that another process sent upon a note can arrive any more: clients give a request up after
 * 30 s, API servers after 60 s.
 */
export const settleMs = 120_000;

interface Known {
  readonly note: string;
  readonly since: number;
  isRefused: boolean;
}

export class NoteMemory {
  readonly #known = new Map<string, Known>();

  constructor(private readonly clock: Clock) {}

  /** @param uid of the claim */
  see(uid: string, choice: Choice): Known {
    const note = noteOf(choice);
    const known = this.#known.get(uid);
    if (known?.note === note) return known;
    const seen = { note, since: this.clock.monotonic(), isRefused: false };
    this.#known.set(uid, seen);
    return seen;
  }

  isSettled(uid: string, choice: Choice): boolean {
    return this.clock.monotonic() - this.see(uid, choice).since >= settleMs;
  }

  refuse(uid: string, choice: Choice): void {
    this.see(uid, choice).isRefused = true;
  }

  isRefused(uid: string, choice: Choice): boolean {
    return this.see(uid, choice).isRefused;
  }

  forget(uid: string): void {
    this.#known.delete(uid);
  }
}
