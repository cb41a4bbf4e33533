/** Whether whoever shows a token may do something: the API server is asked who it is, and then what it may. */
import { createHash } from 'node:crypto';
import type { Clock } from '../clock.js';
import { messageOf } from '../errors.js';
import type { KubeApi } from './api.js';
import { apiVersionOf, type KindRef, type KubeObject } from './kinds.js';

const tokenReview: KindRef = {
  ...{ group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview', plural: 'tokenreviews' },
};
const accessReview: KindRef = {
  ...{ group: 'authorization.k8s.io', version: 'v1', kind: 'SubjectAccessReview', plural: 'subjectaccessreviews' },
};

/** Of HTTP. 500: nobody could tell. */
export type AccessVerdict = 200 | 401 | 403 | 500;

export interface AccessQuestion {
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
  /** Such as `get`. */
  readonly verb: string;
  /** Path of a URL that is no resource. */
  readonly path: string;
}

interface User {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: object;
}

/** Milliseconds that a verdict stands; one that refuses is soon asked for anew. */
const keptMs = { allowed: 60_000, refused: 5_000 } as const;
const maxKept = 1_000;

export class AccessReviewer {
  /** By a hash: tokens are kept nowhere. */
  readonly #kept = new Map<string, { verdict: AccessVerdict; until: number }>();

  constructor(
    private readonly api: Pick<KubeApi, 'create'>,
    private readonly clock: Clock,
    private readonly onError: (message: string) => void,
  ) {}

  async review({ authorization = '', verb, path }: AccessQuestion): Promise<AccessVerdict> {
    const [, token = ''] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
    if (token === '') return 401;
    const key = createHash('sha256').update(`${verb} ${path} ${token}`).digest('hex');
    const known = this.#kept.get(key);
    const now = this.clock.monotonic();
    if (known !== undefined && now < known.until) return known.verdict;
    const verdict = await this.#ask(token, verb, path);
    if (verdict !== 500) this.#keep(key, verdict, now);
    return verdict;
  }

  async #ask(token: string, verb: string, path: string): Promise<AccessVerdict> {
    try {
      const who = await this.#create<{ authenticated?: boolean; user?: User }>(tokenReview, { token });
      if (who.authenticated !== true || who.user === undefined) return 401;
      const { username: user, uid, groups, extra } = who.user;
      const nonResourceAttributes = { path, verb };
      const may = await this.#create<{ allowed?: boolean }>(accessReview, {
        ...{ user, uid, groups, extra, nonResourceAttributes },
      });
      return may.allowed === true ? 200 : 403;
    } catch (error) {
      this.onError(messageOf(error).replaceAll(token, '***'));
      return 500;
    }
  }

  async #create<T>(kind: KindRef, spec: object): Promise<T> {
    const review = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: {}, spec };
    const { status } = await this.api.create<KubeObject & { status?: T }>(kind, review as unknown as KubeObject);
    if (status === undefined) throw new Error(`a ${kind.kind} came back without a status`);
    return status;
  }

  #keep(key: string, verdict: AccessVerdict, now: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { verdict, until: now + (verdict === 200 ? keptMs.allowed : keptMs.refused) });
    if (this.#kept.size > maxKept) this.#kept.delete(this.#kept.keys().next().value as string);
  }
}
