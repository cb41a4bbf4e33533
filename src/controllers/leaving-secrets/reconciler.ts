/**
 * A Secret that is deleted while a host needs it waits for that host, which would be seen nowhere: the host tells it. One that no
 * host names any more is let go.
 */
import { finalizers, groupVersion, kinds } from '../../apis/index.js';
import { type Decision, type EventRecorder, type KubeObject, type ObjectStore, parseKey } from '../../kube/index.js';
import type { SecretStore } from '../../kube/index.js';
import { attempt, type AttemptLog, done } from '../attempt.js';
import { hostsThatName, isHeld, type Use } from './use.js';

export const leavingSecretController = 'leavingsecret';

export interface LeavingSecretParts {
  /** Claimed ones; their data is not looked at. */
  readonly secrets: ObjectStore<KubeObject>;
  readonly hosts: ObjectStore<KubeObject>;
  readonly secretStore: Pick<SecretStore, 'release'>;
  readonly events: Pick<EventRecorder, 'publish'>;
  readonly log: AttemptLog;
}

const maxRemembered = 10_000;
/** Under which clients look for warnings about hosts. */
const component = 'baremetalhost-controller';

export class LeavingSecretReconciler {
  readonly #told = new Set<string>();

  constructor(private readonly parts: LeavingSecretParts) {}

  reconcile(key: string, signal: AbortSignal): Promise<Decision> {
    const { log } = this.parts;
    return attempt({ controller: leavingSecretController, key, log, signal }, () => this.#pass(key, signal));
  }

  async #pass(key: string, signal: AbortSignal): Promise<Decision> {
    const secret = this.parts.secrets.get(key);
    if (secret === undefined || !isHeld(secret)) return done;
    const uses = hostsThatName(secret, this.parts.hosts.values());
    if (uses.length === 0) await this.parts.secretStore.release(parseKey(key), finalizers.secret, signal);
    // A host that is being deleted lets it go at its end.
    for (const use of uses) if (use.host.metadata.deletionTimestamp === undefined) this.#tell(secret, use);
    return done;
  }

  #tell({ metadata: { name, uid } }: KubeObject, { host, field }: Use): void {
    const { namespace = '', name: hostName, uid: hostUid = '' } = host.metadata;
    const once = `${uid} ${hostUid}`;
    if (this.#told.has(once)) return;
    this.#told.add(once);
    if (this.#told.size > maxRemembered) this.#told.delete(this.#told.values().next().value as string);
    const message =
      `the Secret ${name} of ${field} is deleted, and stays as long as this host names it: ` +
      'name another Secret there, or delete the host';
    const subject = {
      apiVersion: groupVersion,
      kind: kinds.bareMetalHost.kind,
      namespace,
      name: hostName,
      uid: hostUid,
    };
    this.parts.events.publish({ subject, type: 'Warning', reason: 'SecretInUse', message, component });
  }
}
