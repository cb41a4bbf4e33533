/**
 * HostFirmwareComponents: shows the firmware that a host has, and says whether updates are wanted that were not begun yet, and
 * whether they can be made. They are made by the host controller, which also notes which have begun.
 */
import { isSame } from '../../../machines/index.js';
import { type Condition, type HostFirmwareComponents, hostFirmwareComponentsSchema, kinds } from '../../apis/index.js';
import { type Clock, timestamp } from '../../clock.js';
import type { Decision, EventRecorder, KubeApi, KubeObject, ObjectStore } from '../../kube/index.js';
import type { FirmwareComponent, Provisioner, ProvisionerFactory } from '../../provisioner/index.js';
import { after, attempt, type AttemptLog, done } from '../attempt.js';
import { withFindings } from '../conditions.js';
import { readFirmware } from '../firmware-reading.js';
import { lookAgainMs, readAgainMs, setAsideMs } from '../firmware-times.js';
import { type HostView, hostOf, isSetAside } from '../host-view.js';
import { ObjectKeeper } from '../object-keeper.js';
import { type Words, withHost, withoutHost, attendMissingHost } from '../missing-host.js';
import { unreadable } from '../unreadable.js';
import { judgeUpdates, updatesFindings } from './verdict.js';

export const firmwareComponentsController = 'hostfirmwarecomponents';

export interface FirmwareComponentsParts {
  readonly api: KubeApi;
  readonly components: ObjectStore<KubeObject>;
  readonly hosts: ObjectStore<KubeObject>;
  readonly provisioners: ProvisionerFactory;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: AttemptLog;
}

export class FirmwareComponentsReconciler {
  readonly #keeper: ObjectKeeper;

  constructor(private readonly parts: FirmwareComponentsParts) {
    this.#keeper = new ObjectKeeper(parts.api, parts.components, kinds.hostFirmwareComponents);
  }

  reconcile(key: string, signal: AbortSignal): Promise<Decision> {
    const { log } = this.parts;
    return attempt({ controller: firmwareComponentsController, key, log, signal }, () => this.#pass(key, signal));
  }

  async #pass(key: string, signal: AbortSignal): Promise<Decision> {
    const object = this.parts.components.get(key);
    const host = hostOf(this.parts.hosts, key);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return done;
    if (host === undefined) {
      return attendMissingHost(object, this.parts.clock.now(), () => this.#tell(object, withoutHost, signal));
    }
    if (isSetAside(host) || host.provisionerID === '') {
      await this.#tell(object, withHost, signal);
      return after(isSetAside(host) ? setAsideMs : readAgainMs);
    }
    return this.#read(object, host, key, signal);
  }

  async #read(object: KubeObject, host: HostView, key: string, signal: AbortSignal): Promise<Decision> {
    const ask = (provisioner: Provisioner) => provisioner.firmwareComponents();
    const read = await readFirmware(this.parts.provisioners, key, host, signal, ask);
    if (!('why' in read)) return this.#judge(object, read.value, signal);
    await this.#tell(object, (known, generation, now) => unreadable(known, generation, read.why, now), signal);
    return after(readAgainMs);
  }

  async #judge(object: KubeObject, components: readonly FirmwareComponent[], signal: AbortSignal): Promise<Decision> {
    const { spec, status, metadata } = parsed(object);
    const verdict = judgeUpdates(spec.updates, status?.updates ?? []);
    const known = status?.conditions;
    const conditions = withFindings(known, updatesFindings(verdict), metadata.generation, this.#now);
    await this.#save(object, { components, conditions }, signal);
    // What was told once need not be told again at each look.
    if (verdict.problem !== undefined && !isSame(conditions, known)) this.#publish(object, verdict.problem);
    return after(lookAgainMs(verdict.isChanged));
  }

  /** Why nothing is shown, if that is news. */
  async #tell(object: KubeObject, words: Words, signal: AbortSignal): Promise<void> {
    const { status, metadata } = parsed(object);
    const conditions = words(status?.conditions, metadata.generation, this.#now);
    if (conditions !== undefined) await this.#save(object, { conditions }, signal);
  }

  get #now(): string {
    return timestamp(this.parts.clock.now());
  }

  async #save(
    object: KubeObject,
    news: { readonly components?: readonly FirmwareComponent[]; readonly conditions: readonly Condition[] },
    signal: AbortSignal,
  ): Promise<void> {
    const status = { ...parsed(object).status, ...news };
    await this.#keeper.saveStatus(object, status, { lastUpdated: this.#now }, signal);
  }

  #publish(object: KubeObject, message: string): void {
    this.parts.events.publish({ subject: this.#keeper.subject(object), reason: 'ValidationFailed', message });
  }
}

function parsed(object: KubeObject): HostFirmwareComponents {
  return hostFirmwareComponentsSchema.parse(object) as HostFirmwareComponents;
}
