/**
 * One reconcile of one host, in the order of the host-lifecycle spec §1: take in what others left, gather what the chart
 * needs, reserve a slot, run a pass or a few that fold (folding.ts), save their outcome, then tell. It reads the host from the
 * cache, and writes nothing but that host, its HardwareData and its Secrets' metadata. Every step may be repeated: whatever a
 * crash leaves half done is derived again from the host and from the back end.
 */
import {
  annotations,
  bareMetalHostSchema,
  type BareMetalHost,
  type BareMetalHostStatus,
  bareMetalHostStatusSchema,
} from '../../apis/index.js';
import { timestamp } from '../../clock.js';
import { chooseHardwareProfile, hardwareProfile } from '../../hardware/index.js';
import { busyStates, mayNeedSlot, newDraft, type Observed, type Slot } from '../../../machines/index.js';
import type { Decision } from '../../kube/index.js';
import { ProvisionerNotReady, type Provisioner } from '../../provisioner/index.js';
import { architectureOf } from './architecture.js';
import { CredentialsGate, type Entry, withoutCredentials } from './credentials-gate.js';
import { DataImageStore } from './data-image-store.js';
import type { HostDependencies } from './dependencies.js';
import { FirmwareStore } from './firmware-store.js';
import { bringsUnseenState, leavesUnseenState, mayFold, nothingCarried } from './folding.js';
import { HostWriter } from './host-writer.js';
import { takeIn } from './intake.js';
import { PreprovisioningImageStore } from './preprovisioning-image-store.js';
import { provisionerFor } from './provisioner-access.js';
import { savingFirst } from './saving-first.js';
import type { PassScope } from './scope.js';
import type { HostServices } from './services.js';
import { Settlement } from './settlement.js';
import { SnapshotKeeping } from './snapshot-keeping.js';
import { SpecAuthors } from './spec-authors.js';
import { EventMemory, Telling } from './telling.js';
import { TroubleReporter } from './trouble.js';

type OpenEntry = Extract<Entry, { kind: 'open' }>;

/** Everything that the passes of one reconcile share. */
interface Entrance {
  readonly scope: PassScope;
  readonly entry: OpenEntry;
  readonly provisioner: Provisioner;
  readonly networkData: string | undefined;
}

type Stores = Pick<HostServices, 'firmware' | 'dataImages' | 'images'>;

interface Ended {
  readonly decision: Decision;
}

const unregistered: ReadonlySet<string> = new Set(['', 'unmanaged']);

export class HostReconciler {
  readonly snapshots: SnapshotKeeping;
  readonly #gate: CredentialsGate;
  readonly #trouble: TroubleReporter;
  readonly #settlement: Settlement;
  readonly #memory: EventMemory;
  readonly #stores: Stores;
  readonly #authors: SpecAuthors;
  #counted: object = [];

  constructor(private readonly deps: HostDependencies) {
    this.snapshots = new SnapshotKeeping(deps.log);
    this.#gate = new CredentialsGate(deps);
    this.#trouble = new TroubleReporter(deps);
    this.#settlement = new Settlement(deps);
    this.#memory = new EventMemory(deps.clock);
    this.#authors = new SpecAuthors(deps.hosts);
    const { api, companions, clock, random } = deps;
    this.#stores = {
      firmware: new FirmwareStore(api, companions, clock),
      dataImages: new DataImageStore(api, companions, clock, random),
      images: new PreprovisioningImageStore(api, companions),
    };
  }

  async reconcile(key: string, signal: AbortSignal): Promise<Decision> {
    const scope = this.#scope(key, signal);
    if (scope === undefined) {
      this.deps.ledger.release(key);
      this.deps.metrics.forget(key);
      return { kind: 'done' };
    }
    this.deps.metrics.count('metal3_reconcile_total', key);
    if (scope.host.metadata.annotations?.[annotations.paused] !== undefined) {
      this.#leaveLine(scope);
      return { kind: 'done' };
    }
    try {
      return await this.#enter(scope);
    } catch (error) {
      // It has a counter of its own.
      if (!(error instanceof ProvisionerNotReady)) this.deps.metrics.count('metal3_reconcile_error_total');
      return this.#trouble.report(scope, error);
    }
  }

  #scope(key: string, signal: AbortSignal): PassScope | undefined {
    const object = this.deps.hosts.get(key);
    if (object === undefined) return undefined;
    const host = bareMetalHostSchema.parse(object) as BareMetalHost;
    const status = host.status ?? (bareMetalHostStatusSchema.parse({}) as BareMetalHostStatus);
    const writer = new HostWriter(this.deps.api, this.deps.hosts, key, object, signal, this.snapshots);
    const telling = new Telling(this.deps.events, this.#memory, host);
    return { key, host, status, carried: nothingCarried(status), writer, telling, signal };
  }

  async #enter(scope: PassScope): Promise<Decision> {
    const now = timestamp(this.deps.clock.now());
    const publish = scope.telling.now.bind(scope.telling);
    if (await takeIn({ ...scope, hardwareData: this.deps.hardwareData, publish, now })) return { kind: 'backoff' };
    let entrance = await this.#open(scope);
    for (let round = 1; ; round += 1) {
      if ('decision' in entrance) return entrance.decision;
      const next = await this.#pass(entrance, round < this.deps.maxRounds);
      if ('decision' in next) return next.decision;
      // A host that has just come under management has credentials to be read.
      const isNew = unregistered.has(entrance.scope.status.provisioning.state);
      entrance = isNew ? await this.#openNext(next.scope) : { ...entrance, scope: next.scope };
    }
  }

  async #openNext(scope: PassScope): Promise<Entrance | Ended> {
    try {
      return await this.#open(scope);
    } catch (error) {
      await this.#settlement.pay(scope);
      throw error;
    }
  }

  async #open(scope: PassScope): Promise<Entrance | Ended> {
    const isManaged = !unregistered.has(scope.status.provisioning.state);
    const entry = isManaged ? await this.#gate.check(scope) : withoutCredentials;
    if (entry.kind === 'refused') {
      this.#leaveLine(scope);
      return { decision: entry.decision };
    }
    const provisioner = await provisionerFor(this.deps, scope, entry.credentials, this.#authors.of(scope.host).online);
    return { scope, entry, provisioner, networkData: isManaged ? await this.#networkData(scope) : '' };
  }

  /** A host that gets no further must not stand before others, nor hold a slot that it does not use. */
  #leaveLine({ key, status }: PassScope): void {
    if (!busyStates.has(status.provisioning.state)) this.deps.ledger.release(key);
  }

  /** One pass: it ends the reconcile, or another one is to follow it at once. */
  async #pass(entrance: Entrance, mayFollow: boolean): Promise<Ended | { readonly scope: PassScope }> {
    const { provisioner } = entrance;
    let { scope } = entrance;
    const { key, host, status, writer, signal } = scope;
    const pay = async () => {
      scope = await this.#settlement.pay(scope);
    };
    // A pass that is thrown out leaves the host where it was, and with the slot that it had there.
    let keepsSlot = busyStates.has(status.provisioning.state);
    try {
      const observed = await this.#observe(scope, entrance.entry, provisioner);
      const services: HostServices = {
        ...{ key, host, writer, signal },
        provisioner: bringsUnseenState(scope) ? savingFirst(provisioner, pay) : provisioner,
        secrets: this.deps.secrets,
        hardwareData: this.deps.hardwareData,
        ...this.#stores,
        preprovisioningNetworkData: entrance.networkData,
        warn: scope.telling.warn.bind(scope.telling),
        count: (metric, labels) => this.deps.metrics.count(metric, key, labels),
      };
      const version = writer.object.metadata.resourceVersion;
      const outcome = await this.deps.runner.run(status, observed, services, signal);
      const draft = this.#settlement.settle(observed, outcome);
      const hasWritten = writer.object.metadata.resourceVersion !== version;
      if (mayFollow && mayFold(scope, draft, hasWritten)) {
        // Work that is done gives its slot back at once: more work stands in line like that of others.
        keepsSlot = draft.status.provisioning.state === status.provisioning.state;
        return { scope: await this.#settlement.fold({ scope, observed, provisioner }, outcome, draft) };
      }
      if (leavesUnseenState(scope, draft)) await pay();
      const settled = await this.#settlement.conclude({ scope, observed, provisioner }, outcome, draft);
      ({ keepsSlot } = settled);
      return { decision: settled.decision };
    } catch (error) {
      // What earlier passes found out is not lost with the one that was thrown out.
      await pay();
      throw error;
    } finally {
      if (!keepsSlot) this.deps.ledger.release(key);
    }
  }

  async #networkData({ host, status, signal }: PassScope): Promise<string | undefined> {
    const isLeaving = host.metadata.deletionTimestamp !== undefined || status.provisioning.state === 'deleting';
    const data = await this.deps.secrets.preprovisioningNetworkData(host, !isLeaving, signal);
    return data ?? (isLeaving ? '' : undefined);
  }

  async #observe({ key, host, status }: PassScope, entry: OpenEntry, provisioner: Provisioner): Promise<Observed> {
    const name = chooseHardwareProfile({
      chosen: status.hardwareProfile,
      wanted: host.spec.hardwareProfile,
      bmcAddress: host.spec.bmc?.address,
    });
    const observed: Observed = {
      host,
      haveCredentials: entry.haveCredentials,
      credentials: entry.version,
      profile: { name, hints: hardwareProfile(name) },
      slot: { kind: 'notNeeded' },
      architecture: architectureOf(host, status),
      firmware: this.#stores.firmware.of(key, host.metadata, status.provisioning.state),
      dataImage: this.#stores.dataImages.of(key),
      preprovisioningImage: this.#stores.images.of(key),
      changedBy: this.#authors.of(host),
      now: this.deps.clock.now(),
      maxProvisioningRetries: this.deps.maxProvisioningRetries,
    };
    if (!mayNeedSlot({ observed, draft: newDraft(status) })) return observed;
    return { ...observed, slot: await this.#reserve(key, provisioner) };
  }

  async #reserve(key: string, provisioner: Provisioner): Promise<Slot> {
    const { exempt, busy, look = busy } = await provisioner.capacity();
    if (exempt) return { kind: 'granted' };
    // A view that was counted already would bring back what has been released since.
    if (look !== this.#counted) this.deps.ledger.observe(busy);
    this.#counted = look;
    const verdict = this.deps.ledger.reserve(key);
    return verdict.granted ? { kind: 'granted' } : { kind: 'waiting', rank: verdict.rank, limit: verdict.limit };
  }
}
