/** The hosts on an API server as a person sees and changes them, whatever operator and back end are at work on them. */
import type { BareMetalHost, BareMetalHostSpec } from '../../src/apis/index.js';
import { hostKind } from '../../src/controllers/host/index.js';
import { eventKind, type KubeApi, type KubeObject, secretKind } from '../../src/kube/index.js';
import { companionKinds, type CompanionName, type CompanionNews, putCompanion } from './companions.js';
import { eventually } from './eventually.js';
import type { Condition, HostWatch } from './host-watch.js';

export interface HostWish {
  readonly spec?: Partial<BareMetalHostSpec> & Record<string, unknown>;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  /** null: no Secret is made. */
  readonly password?: string | null;
}

export const image = {
  url: 'http://images.example.com/os.qcow2',
  checksum: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  checksumType: 'sha256',
} as const;

export const otherImage = { ...image, url: 'http://images.example.com/other.qcow2' } as const;

export class HostDesk {
  watch!: HostWatch;
  #address = 10;

  /** @param namespace where the hosts are */
  constructor(readonly namespace: string) {}

  get api(): KubeApi {
    return this.watch.api;
  }

  async putSecret(name: string, stringData: Record<string, string>): Promise<void> {
    const key = { namespace: this.namespace, name };
    const known = await this.api.get(secretKind, key);
    if (known !== undefined) await this.api.patch(secretKind, key, { stringData });
    else await this.api.create(secretKind, { apiVersion: 'v1', kind: 'Secret', metadata: key, stringData });
  }

  secret(name: string): Promise<KubeObject | undefined> {
    return this.api.get(secretKind, { namespace: this.namespace, name });
  }

  /** A host over Redfish with an image, and its Secret `NAME-bmc`. */
  async addRedfish(name: string, wish: HostWish = {}): Promise<void> {
    const number = (this.#address += 1);
    const { password = 'right', spec, labels, annotations } = wish;
    if (password !== null) await this.putSecret(`${name}-bmc`, { username: 'admin', password });
    await this.api.create(hostKind, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: { name, namespace: this.namespace, labels, annotations },
      spec: {
        online: true,
        bootMACAddress: `02:00:00:00:${hex(number >> 8)}:${hex(number & 255)}`,
        bmc: {
          address: `redfish://192.0.${2 + (number >> 8)}.${number & 255}/redfish/v1/Systems/1`,
          credentialsName: `${name}-bmc`,
        },
        image,
        ...spec,
      },
    });
  }

  /** Somebody's change of a host: a merge patch. Resolves once the watch has brought it. */
  async change(name: string, patch: object, subresource?: 'status'): Promise<void> {
    const changed = await this.api.patch<KubeObject>(hostKind, { namespace: this.namespace, name }, patch, {
      subresource,
    });
    const version = Number(changed.metadata.resourceVersion);
    const isSeen: Condition = (host) => host === undefined || Number(host.metadata.resourceVersion) >= version;
    await this.watch.until(`${this.namespace}/${name}`, `version ${version}`, isSeen);
  }

  /** Somebody's change of an object of the host's own name; it is created where it is not there. */
  companion(kind: CompanionName, name: string, news: CompanionNews): Promise<void> {
    return putCompanion(this.api, kind, { namespace: this.namespace, name }, news);
  }

  companionOf(kind: CompanionName, name: string): Promise<KubeObject | undefined> {
    return this.api.get<KubeObject>(companionKinds[kind], { namespace: this.namespace, name });
  }

  annotate(name: string, annotations: Record<string, string | null>): Promise<void> {
    return this.change(name, { metadata: { annotations } });
  }

  async remove(name: string): Promise<void> {
    await this.api.delete(hostKind, { namespace: this.namespace, name });
  }

  host(name: string): BareMetalHost {
    const host = this.watch.get(`${this.namespace}/${name}`);
    if (host === undefined) throw new Error(`${name} is gone`);
    return host;
  }

  async until(name: string, what: string, accepts: (host: BareMetalHost) => boolean): Promise<BareMetalHost> {
    const condition: Condition = (host) => host !== undefined && accepts(host);
    return (await this.watch.until(`${this.namespace}/${name}`, what, condition)) as BareMetalHost;
  }

  /** In this state, standing well. */
  reaches(name: string, state: string): Promise<BareMetalHost> {
    return this.until(
      name,
      state,
      ({ status }) => status?.provisioning.state === state && status.operationalStatus === 'OK',
    );
  }

  /** Provisioned and powered on: nothing more is to happen. */
  settled(name: string): Promise<BareMetalHost> {
    return this.until(name, 'provisioned and on', ({ status }) => {
      const { provisioning, operationalStatus, poweredOn } = status ?? {};
      return provisioning?.state === 'provisioned' && operationalStatus === 'OK' && poweredOn === true;
    });
  }

  fails(name: string, errorType: string): Promise<BareMetalHost> {
    return this.until(name, errorType, ({ status }) => status?.errorType === errorType);
  }

  async gone(name: string): Promise<void> {
    await this.watch.until(`${this.namespace}/${name}`, 'gone', (host) => host === undefined);
  }

  states(name: string): string[] {
    return this.watch.states(`${this.namespace}/${name}`);
  }

  versions(name: string): BareMetalHost[] {
    return this.watch.versions(`${this.namespace}/${name}`);
  }

  /**
   * Events of a host, in order, once the one with the reason `last` was there so many `times`: they are written in the
   * background, after the status that they belong to.
   */
  async events(name: string, last?: string, times = 1): Promise<{ reason: string; message: string }[]> {
    return eventually(`event ${String(last)}`, async () => {
      const { items } = await this.api.list(eventKind, { namespace: this.namespace });
      const events = items
        .filter((event) => (event.involvedObject as { name: string }).name === name)
        .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map(({ reason, message }) => ({ reason: String(reason), message: String(message) }));
      return last === undefined || events.filter(({ reason }) => reason === last).length >= times ? events : undefined;
    });
  }

  async reasons(name: string, last?: string): Promise<string[]> {
    return (await this.events(name, last)).map(({ reason }) => reason);
  }
}

/** Status of one condition. */
export function condition(host: BareMetalHost, type: string): { status: string; reason: string; message: string } {
  const found = host.status?.conditions?.find((each) => each.type === type);
  return { status: found?.status ?? '', reason: found?.reason ?? '', message: found?.message ?? '' };
}

function hex(number: number): string {
  return number.toString(16).padStart(2, '0');
}
