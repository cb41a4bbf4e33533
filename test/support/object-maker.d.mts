import type { customResourceDefinitions } from '../../src/apis/index.js';

export interface MadeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations: Record<string, string>;
  };
  readonly spec?: object;
  readonly status?: object;
}

export function randomOf(seed: number): () => number;

export class ObjectMaker {
  constructor(seed: number, crds: ReturnType<typeof customResourceDefinitions>, options?: { readonly oddity?: number });
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  object(kind: string): MadeObject;
  variant(object: MadeObject): MadeObject;
}
