import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Json, KubeClient } from './client.js';

/** A Kubernetes API that the conformance suites run against, with the Widget definition installed. */
export interface KubeTarget {
  client: KubeClient;
  /** Adds definitions; resolves once they are served. */
  define(crds: readonly Json[]): Promise<void>;
  /** Lets the server forget every version before the present one. */
  forget(): Promise<void>;
  stop(): Promise<void>;
}

export type StartTarget = () => Promise<KubeTarget>;

/** A namespace of a test's own, named by the server, and the path of its widgets. */
export async function freshNamespace(client: KubeClient): Promise<{ namespace: string; widgets: string }> {
  const { status, body } = await client.post('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { generateName: 'suite-' },
  });
  if (status !== 201) throw new Error(`a namespace was not made: ${status}`);
  const namespace: string = body.metadata.name;
  return { namespace, widgets: `/apis/suite.example.com/v1/namespaces/${namespace}/widgets` };
}

/** What a test of a suite speaks to, and where. */
export type Ground = { readonly client: KubeClient } & Awaited<ReturnType<typeof freshNamespace>>;

/** Each test of the `describe` around it is given a namespace of its own, all on one target. */
export function onFreshGround(start: StartTarget, take: (ground: Ground) => void): void {
  let target: KubeTarget;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target.stop());
  beforeEach(async () => take({ client: target.client, ...(await freshNamespace(target.client)) }));
}

/** Asks until the answer is right: what controllers do may take a real server a moment. */
export async function eventually<T>(ask: () => Promise<T>, right: (answer: T) => boolean): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ask();
    if (right(answer) || attempt >= 100) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
