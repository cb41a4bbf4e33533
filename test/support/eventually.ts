import { OwnTime } from './patience.js';

const pauseMs = 10;

/** For what cannot be watched: looks every few milliseconds, for half a minute of this process's own time, until there is an answer. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const time = new OwnTime();
  for (let left = 30_000; left > 0; left -= time.beat(pauseMs)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error(`it did not come to this: ${what}`);
}
