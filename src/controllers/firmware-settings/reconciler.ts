/**
 * HostFirmwareSettings: shows the settings that a host has, and says whether those that are wanted differ and can be made.
 * They are made by the host controller, which goes by these conditions.
 */
import { isSame } from '../../../machines/index.js';
import {
  type HostFirmwareSettings,
  hostFirmwareSettingsSchema,
  type HostFirmwareSettingsStatus,
  kinds,
} from '../../apis/index.js';
import { type Clock, timestamp } from '../../clock.js';
import type { Decision, EventRecorder, KubeApi, KubeObject, ObjectStore } from '../../kube/index.js';
import type { FirmwareSettings, Provisioner, ProvisionerFactory } from '../../provisioner/index.js';
import { after, attempt, type AttemptLog, done } from '../attempt.js';
import { type Finding, withFindings } from '../conditions.js';
import { readFirmware } from '../firmware-reading.js';
import { type HostView, hostOf, isSetAside } from '../host-view.js';
import { ObjectKeeper } from '../object-keeper.js';
import { type Words, withHost, withoutHost, attendMissingHost } from '../missing-host.js';
import { unreadable } from '../unreadable.js';
import { lookAgainMs, readAgainMs, setAsideMs } from '../firmware-times.js';
import type { FirmwareSchemas } from './schema-store.js';
import { isSecretSetting } from './setting-rule.js';
import { judgeSettings, settingsFindings } from './verdict.js';

export const firmwareSettingsController = 'hostfirmwaresettings';

export interface FirmwareSettingsParts {
  readonly api: KubeApi;
  readonly settings: ObjectStore<KubeObject>;
  readonly hosts: ObjectStore<KubeObject>;
  readonly schemas: FirmwareSchemas;
  readonly provisioners: ProvisionerFactory;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: AttemptLog;
}

export class FirmwareSettingsReconciler {
  readonly #keeper: ObjectKeeper;

  constructor(private readonly parts: FirmwareSettingsParts) {
    this.#keeper = new ObjectKeeper(parts.api, parts.settings, kinds.hostFirmwareSettings);
  }

  reconcile(key: string, signal: AbortSignal): Promise<Decision> {
    const { log } = this.parts;
    return attempt({ controller: firmwareSettingsController, key, log, signal }, () => this.#pass(key, signal));
  }

  async #pass(key: string, signal: AbortSignal): Promise<Decision> {
    const object = this.parts.settings.get(key);
    if (object === undefined) {
      await this.parts.schemas.forget(key);
      return done;
    }
    if (object.metadata.deletionTimestamp !== undefined) return done;
    const host = hostOf(this.parts.hosts, key);
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
    const ask = (provisioner: Provisioner) => provisioner.firmwareSettings(true);
    const read = await readFirmware(this.parts.provisioners, key, host, signal, ask);
    if (!('why' in read)) return this.#judge(object, host, key, read.value, signal);
    await this.#tell(object, (known, generation, now) => unreadable(known, generation, read.why, now), signal);
    return after(readAgainMs);
  }

  async #judge(
    object: KubeObject,
    host: HostView,
    key: string,
    read: FirmwareSettings,
    signal: AbortSignal,
  ): Promise<Decision> {
    const name = await this.parts.schemas.ensure(key, read.schema, host, signal);
    const { spec } = parsed(object);
    const shown = Object.entries(read.settings).filter(([setting]) => !isSecretSetting(setting, read.schema[setting]));
    const settings = Object.fromEntries(shown);
    const verdict = judgeSettings(spec.settings, { actual: settings, rules: read.schema });
    const schema = { name, namespace: object.metadata.namespace ?? '' };
    const isNew = await this.#save(object, settingsFindings(verdict), { schema, settings }, signal);
    // What was told once need not be told again at each look.
    if (isNew && shown.length > 0) for (const problem of verdict.problems) this.#publish(object, problem);
    return after(lookAgainMs(verdict.isChanged));
  }

  /** Whether there was anything new in the conditions. */
  async #save(
    object: KubeObject,
    findings: readonly Finding[],
    facts: Partial<HostFirmwareSettingsStatus>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const now = timestamp(this.parts.clock.now());
    const { status, metadata } = parsed(object);
    const conditions = withFindings(status?.conditions, findings, metadata.generation, now);
    const next = { settings: {}, ...status, ...facts, conditions };
    await this.#keeper.saveStatus(object, next, { lastUpdated: now }, signal);
    return !isSame(conditions, status?.conditions);
  }

  /** Why nothing is shown, if that is news. */
  async #tell(object: KubeObject, words: Words, signal: AbortSignal): Promise<void> {
    const { status, metadata } = parsed(object);
    const now = timestamp(this.parts.clock.now());
    const conditions = words(status?.conditions, metadata.generation, now);
    if (conditions === undefined) return;
    await this.#keeper.saveStatus(object, { settings: {}, ...status, conditions }, { lastUpdated: now }, signal);
  }

  #publish(object: KubeObject, message: string): void {
    this.parts.events.publish({ subject: this.#keeper.subject(object), reason: 'ValidationFailed', message });
  }
}

function parsed(object: KubeObject): HostFirmwareSettings {
  return hostFirmwareSettingsSchema.parse(object) as HostFirmwareSettings;
}
