/**
 * BareMetalSwitch: all switches of a namespace go into two Secrets, from which Ironic learns how they are reached. One that
 * cannot be told to it is left out, and says why; the others are not held up.
 */
import { isSame } from '../../../machines/index.js';
import { type Condition, groupVersion, kinds } from '../../apis/index.js';
import { type Clock, timestamp } from '../../clock.js';
import type { Decision, EventRecorder, KubeApi, KubeObject, ObjectStore, SecretStore } from '../../kube/index.js';
import { after, attempt, type AttemptLog, done } from '../attempt.js';
import { clipped, conditionOf, type Finding, withFindings } from '../conditions.js';
import { ObjectKeeper } from '../object-keeper.js';
import { loginOf } from './login.js';
import type { SwitchEntry } from './rendering.js';
import { type Listed, rosterOf, type Trouble } from './roster.js';
import { type SwitchTargets, TargetSecrets } from './target-secrets.js';

export const switchController = 'baremetalswitch';

/** Milliseconds until a Secret that is missing is looked for again: unlabelled, nobody tells when it comes. */
const lookForSecretMs = 10_000;

export interface SwitchParts {
  readonly api: KubeApi;
  readonly switches: ObjectStore<KubeObject>;
  readonly secrets: Pick<SecretStore, 'read' | 'acquire' | 'fill'>;
  readonly targets: SwitchTargets;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: AttemptLog;
}

/** What a switch has come to: its lines in the file, or why it has none. */
type Judged = { readonly object: KubeObject } & ({ readonly entry: SwitchEntry } | { readonly trouble: Trouble });

export class SwitchReconciler {
  readonly #keeper: ObjectKeeper;
  readonly #targets: TargetSecrets;

  constructor(private readonly parts: SwitchParts) {
    this.#keeper = new ObjectKeeper(parts.api, parts.switches, kinds.bareMetalSwitch);
    this.#targets = new TargetSecrets(parts.secrets, parts.targets);
  }

  reconcile(namespace: string, signal: AbortSignal): Promise<Decision> {
    const { log } = this.parts;
    return attempt({ controller: switchController, key: namespace, log, signal }, () => this.#pass(namespace, signal));
  }

  async #pass(namespace: string, signal: AbortSignal): Promise<Decision> {
    const judged: Judged[] = [];
    for (const listed of rosterOf(this.parts.switches.values(), namespace, this.#targets.names)) {
      judged.push(await this.#judge(listed, signal));
    }
    const entries = judged.flatMap((one) => ('entry' in one ? [one.entry] : []));
    const obstacle = await this.#targets.fill(namespace, entries, signal);
    const troubles = judged.map((one) => ('trouble' in one ? one.trouble : obstacle));
    for (const [index, { object }] of judged.entries()) await this.#save(object, troubles[index], signal);
    const isToBeLookedFor = troubles.some((trouble) => trouble?.isToBeLookedFor === true);
    return isToBeLookedFor ? after(lookForSecretMs) : done;
  }

  async #judge({ object, parsed, trouble }: Listed, signal: AbortSignal): Promise<Judged> {
    if (trouble !== undefined) return { object, trouble };
    const { namespace = '', name: switchName, uid = '' } = object.metadata;
    const { name = '' } = parsed.spec.credentials ?? {};
    const owner = { apiVersion: groupVersion, kind: kinds.bareMetalSwitch.kind, name: switchName, uid };
    const secret = await this.parts.secrets.acquire({ namespace, name }, { owner }, signal);
    if (secret === undefined) {
      const message = `the Secret ${name} of spec.credentials does not exist: create it`;
      return { object, trouble: { reason: 'CredentialError', message, isToBeLookedFor: true } };
    }
    const reading = loginOf(secret);
    if ('problem' in reading) return { object, trouble: { reason: 'CredentialError', message: reading.problem } };
    return { object, entry: { name: switchName, spec: parsed.spec, login: reading.login } };
  }

  async #save(object: KubeObject, trouble: Trouble | undefined, signal: AbortSignal): Promise<void> {
    const status = (object.status ?? {}) as { conditions?: Condition[] };
    const now = timestamp(this.parts.clock.now());
    const conditions = withFindings(status.conditions, [this.#finding(trouble)], object.metadata.generation, now);
    await this.#keeper.saveStatus(object, { ...status, conditions }, {}, signal);
    const known = conditionOf(status.conditions, 'Valid');
    const isNews = !isSame(told(known), told(conditionOf(conditions, 'Valid')));
    if (trouble !== undefined && isNews) this.#tell(object, trouble);
  }

  #finding(trouble: Trouble | undefined): Finding {
    if (trouble !== undefined) {
      return { type: 'Valid', status: 'False', reason: trouble.reason, message: clipped(trouble.message) };
    }
    const message = `stands in the Secret ${this.parts.targets.configsSecret}, for Ironic to read`;
    return { type: 'Valid', status: 'True', reason: 'Reconciled', message };
  }

  #tell(object: KubeObject, { reason, message }: Trouble): void {
    this.parts.events.publish({ subject: this.#keeper.subject(object), type: 'Warning', reason, message });
  }
}

function told(condition: Condition | undefined): unknown {
  return condition && [condition.status, condition.reason, condition.message];
}
