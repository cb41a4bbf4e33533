/** A Kubernetes API that lists what the test says and whose watches the test feeds line by line. */
import {
  type KubeApi,
  KubeError,
  type KubeObject,
  type ListOptions,
  type ListPage,
  type WatchOptions,
} from '../../src/kube/index.js';

export function listed(version: string, items: readonly KubeObject[] = [], continueToken = ''): ListPage {
  return { items: [...items], resourceVersion: version, continueToken };
}

export class WatchFeed {
  readonly #lines: (string | Error | undefined)[] = [];
  #wake: () => void = () => undefined;

  constructor(readonly options: WatchOptions) {
    options.signal.addEventListener('abort', () => this.fail(new Error('aborted')), { once: true });
  }

  event(type: string, object: object): this {
    return this.line(JSON.stringify({ type, object }));
  }

  line(text: string): this {
    return this.#push(text);
  }

  /** As a server ends a watch when its time is over. */
  end(): this {
    return this.#push(undefined);
  }

  fail(error: Error): this {
    return this.#push(error);
  }

  #push(line: string | Error | undefined): this {
    this.#lines.push(line);
    this.#wake();
    return this;
  }

  async *read(): AsyncGenerator<string> {
    for (;;) {
      while (this.#lines.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      const line = this.#lines.shift();
      if (line === undefined) return;
      if (line instanceof Error) throw line;
      yield line;
    }
  }
}

export class ScriptedKube {
  readonly lists: ListOptions[] = [];
  readonly watches: WatchFeed[] = [];
  #pages: (ListPage | Error)[] = [];

  /** Answers of the next lists, in turn; the last one stays. */
  pages(...pages: (ListPage | Error)[]): this {
    this.#pages = pages;
    return this;
  }

  get last(): WatchFeed {
    const feed = this.watches.at(-1);
    if (feed === undefined) throw new Error('no watch was opened');
    return feed;
  }

  get api(): KubeApi {
    const list = async (_kind: unknown, options: ListOptions) => {
      this.lists.push(options);
      const page = this.#pages.length > 1 ? this.#pages.shift() : this.#pages[0];
      if (page === undefined || page instanceof Error) throw page ?? new KubeError('KUBE_UNAVAILABLE', 'no page');
      return page;
    };
    const watch = (_kind: unknown, options: WatchOptions) => {
      const feed = new WatchFeed(options);
      this.watches.push(feed);
      return feed.read();
    };
    return { list, watch } as unknown as KubeApi;
  }
}
