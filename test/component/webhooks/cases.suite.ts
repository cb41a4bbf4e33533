/** The table of cases, over the wire of a server that asks the rules. Writes that are judged are dry runs. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { guarded, type HostView } from '../../../src/webhooks/rules/index.js';
import { type AdmissionCase, type CaseObject, titled } from '../../support/admission-cases/index.js';
import type { Answer, KubeClient } from '../../support/kube-api/client.js';

export interface JudgedServer {
  readonly client: KubeClient;
  /** Writes of which no rule is asked. */
  unjudged(write: (client: KubeClient) => Promise<Answer>): Promise<Answer>;
  /** What the rules are told of hosts; undefined: nothing is known. */
  know(hosts: readonly HostView[] | undefined): void;
}

const dryRun = '?dryRun=All';

function collectionOf({ kind, metadata: { namespace } }: CaseObject): string {
  const { plural } = guarded.find((one) => one.kind.kind === kind)!.kind;
  return `/apis/metal3.io/v1alpha1/namespaces/${namespace}/${plural}`;
}

const pathOf = (object: CaseObject) => `${collectionOf(object)}/${object.metadata.name}`;

/** What is there before a write is judged: kept for the next case that begins with the same. */
class Stage {
  readonly #stored = new Map<string, { readonly wish: string; readonly version: string }>();

  constructor(private readonly server: () => JudgedServer) {}

  /** @returns its version */
  async put(object: CaseObject): Promise<string> {
    const [path, wish] = [pathOf(object), JSON.stringify(object)];
    const known = this.#stored.get(path);
    if (known?.wish === wish) return known.version;
    if (known !== undefined) await this.#remove(path);
    let { body } = await this.#done((client) => client.post(collectionOf(object), object));
    if (object.status !== undefined) {
      const { resourceVersion } = body.metadata;
      const withStatus = { ...object, metadata: { ...object.metadata, resourceVersion } };
      ({ body } = await this.#done((client) => client.put(`${path}/status`, withStatus)));
    }
    const version = body.metadata.resourceVersion as string;
    this.#stored.set(path, { wish, version });
    return version;
  }

  /** Nothing stays that would keep the namespace. */
  async clear(): Promise<void> {
    for (const path of this.#stored.keys()) await this.#remove(path);
  }

  async #remove(path: string): Promise<void> {
    await this.#done((client) => client.patch(path, { metadata: { finalizers: null } }));
    await this.#done((client) => client.delete(path));
  }

  async #done(write: (client: KubeClient) => Promise<Answer>): Promise<Answer> {
    const answer = await this.server().unjudged(write);
    if (answer.status > 201) throw new Error(`the stage was not set: ${JSON.stringify(answer.body)}`);
    return answer;
  }
}

/** The findings of an answer, as the rules told them. */
function toldBy({ body }: Answer): string[] {
  const causes = (body.details?.causes ?? []) as { field: string; message: string }[];
  return causes.map(({ field, message }) => `${field}: ${message}`);
}

function expectAnswer(answer: Answer, { operation, object, old, refusals, warnings, earlier }: AdmissionCase): void {
  const { status, body, headers } = answer;
  if (earlier !== undefined) {
    expect([status, body.reason, body.message]).toEqual([422, 'Invalid', expect.stringMatching(earlier)]);
    return;
  }
  if (refusals.length === 0) {
    expect(body).not.toMatchObject({ status: 'Failure' });
    expect(status).toBe(operation === 'CREATE' ? 201 : 200);
  } else {
    const told = toldBy(answer);
    expect(told).toEqual(refusals.map((message) => expect.stringMatching(message)));
    const deniedBy = `admission webhook "${(object ?? old)!.kind.toLowerCase()}.metal3.io" denied the request`;
    const sentences = told.length === 1 ? told[0] : `[${told.join(', ')}]`;
    expect([status, body.reason, body.message]).toEqual([403, 'Forbidden', `${deniedBy}: ${sentences}`]);
  }
  const warned = headers.get('warning')?.split(/, (?=299 )/) ?? [];
  const texts = warned.map((one) => /^299 \S+ "(.*)"$/.exec(one)?.[1]);
  if (warnings) expect(texts).toEqual(warnings.map((message) => expect.stringMatching(message)));
}

export function admissionCasesSuite(server: () => JudgedServer): void {
  describe('says what the table of cases says', () => {
    const stage = new Stage(server);
    afterAll(() => stage.clear());

    it.each(titled)('%s', async (_, one) => {
      const { client } = server();
      const { object, old, hosts } = one;
      server().know(hosts === 'unknown' ? undefined : hosts);
      const resourceVersion = old && (await stage.put(old));
      const answer = await (object === undefined
        ? client.delete(pathOf(old!) + dryRun)
        : old === undefined
          ? client.post(collectionOf(object) + dryRun, object)
          : client.put(pathOf(object) + dryRun, { ...object, metadata: { ...object.metadata, resourceVersion } }));
      expectAnswer(answer, one);
    });
  });
}
