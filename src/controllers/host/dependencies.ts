/** What the host controller is made of, given to it once by the composition root. */
import type { Clock, Random } from '../../clock.js';
import type { EventRecorder, KubeApi, KubeObject, ObjectStore } from '../../kube/index.js';
import type { CapacityLedger, ProvisionerFactory } from '../../provisioner/index.js';
import type { Companions } from './companions.js';
import type { HardwareDataStore } from './hardware-data.js';
import type { ChartRunner } from './pass.js';
import type { PassReport } from './report.js';
import type { HostSecrets } from './secret-reader.js';

/** Counters and histograms by their names on the wire; `key` becomes the labels namespace and host where the metric has them. */
export interface HostMetrics {
  count(metric: string, key?: string, labels?: Readonly<Record<string, string>>): void;
  observe(metric: string, key: string, seconds: number): void;
  /** The host is gone, and its series with it. */
  forget(key: string): void;
}

/** The part of a logger that the controller uses. Fields are chosen one by one: no object, no spec, no Secret. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface HostDependencies {
  readonly api: KubeApi;
  readonly hosts: ObjectStore<KubeObject>;
  readonly hardwareData: HardwareDataStore;
  readonly companions: Companions;
  readonly secrets: HostSecrets;
  readonly events: EventRecorder;
  readonly provisioners: ProvisionerFactory;
  readonly ledger: CapacityLedger;
  readonly runner: ChartRunner;
  readonly metrics: HostMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** 0: unlimited. */
  readonly maxProvisioningRetries: number;
  /** Passes that one reconcile may run without a write in between; 1: each pass saves for itself. */
  readonly maxRounds: number;
  readonly onReport: (report: PassReport) => void;
}
