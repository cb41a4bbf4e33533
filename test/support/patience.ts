/** Waiting that ends one day, on any machine. */

/**
 * Real time as this process could make use of it. On a machine that is busy with others nothing comes about while the process waits for
 * its turn, and no patience is to run out: between two beats counts what was to go by, and what the process itself was at work.
 */
export class OwnTime {
  #last = { at: performance.now(), work: workMs() };

  /** @param asked milliseconds that were to go by. @returns those that count, at most all that have gone by since the last beat. */
  beat(asked: number): number {
    const now = { at: performance.now(), work: workMs() };
    const { at, work } = this.#last;
    this.#last = now;
    return Math.min(now.at - at, asked + now.work - work);
  }
}

/** Of the process, on all its threads. */
function workMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const beatMs = 20;

/** Calls when so much of the process's own time has gone by, unless it is called off. */
export class Patience {
  readonly #beats: NodeJS.Timeout;

  constructor(ms: number, exhausted: () => void) {
    const time = new OwnTime();
    let left = ms;
    this.#beats = setInterval(() => {
      left -= time.beat(beatMs);
      if (left > 0) return;
      this.callOff();
      exhausted();
    }, beatMs);
  }

  callOff(): void {
    clearInterval(this.#beats);
  }
}
