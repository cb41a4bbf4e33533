/** The controller of BareMetalHosts, wired. */
import {
  Companions,
  HardwareDataStore,
  HostController,
  HostReconciler,
  HostSecrets,
  withPackedHardware,
} from '../../controllers/host/index.js';
import { HostChartRunner, hardwareDataKind, hostKind, providedHostMachine } from '../../controllers/host/index.js';
import { dataImageKind, firmwareComponentsKind, firmwareSettingsKind } from '../../controllers/host/index.js';
import { preprovisioningImageKind, updatePolicyKind } from '../../controllers/host/index.js';
import { maxRounds, type Inspector, type PassReport } from '../../controllers/host/index.js';
import { type KubeObject, ObjectStore, secretKind, secretLabel, withoutManagedFields } from '../../kube/index.js';
import type { WorkQueue } from '../../kube/index.js';
import type { CapacityLedger } from '../../provisioner/index.js';
import { type ControllerContext, queueOf, recorderOf } from './context.js';

export interface HostControllerOptions {
  readonly ledger: CapacityLedger;
  readonly maxProvisioningRetries: number;
  /** Agent images are built for each host. */
  readonly buildsImages: boolean;
  readonly inspector: Inspector | undefined;
  readonly onReport: (report: PassReport) => void;
}

export interface WiredHostController {
  readonly controller: HostController;
  readonly queue: WorkQueue;
}

export function hostController(context: ControllerContext, options: HostControllerOptions): WiredHostController {
  const { api, watches, secrets: secretStore, provisioners, metrics, clock, random, log } = context;
  const { ledger, maxProvisioningRetries, buildsImages, inspector, onReport } = options;
  const hosts = watches.store(hostKind);
  const secrets = watches.store(secretKind, {
    labelSelector: `${secretLabel.key}=${secretLabel.value}`,
    slim: withoutData,
  });
  const stores = {
    settings: watches.store(firmwareSettingsKind),
    components: watches.store(firmwareComponentsKind),
    policies: watches.store(updatePolicyKind),
    dataImages: watches.store(dataImageKind),
    images: buildsImages ? watches.store(preprovisioningImageKind) : new ObjectStore<KubeObject>(),
  };
  const queue = queueOf(context, 'baremetalhost');
  const reconciler = new HostReconciler({
    ...{ api, hosts, provisioners, ledger, metrics, clock, random, log, maxProvisioningRetries, maxRounds, onReport },
    hardwareData: new HardwareDataStore(api, watches.store(hardwareDataKind, { slim: withPackedHardware })),
    companions: new Companions(stores),
    secrets: new HostSecrets(
      secretStore,
      (host_data_type) => metrics.count('metal3_host_config_data_error_total', undefined, { host_data_type }),
      secrets,
    ),
    events: recorderOf(context, 'metal3-baremetal-controller', 'metal3.io/baremetal-controller'),
    runner: new HostChartRunner(providedHostMachine, inspector),
  });
  metrics.gauge('ironchart_snapshot_pruned', 'Whether the API server keeps no status.lifecycle', () =>
    reconciler.snapshots.isPruned ? 1 : 0,
  );
  const onSlotGranted = (listener: (key: string) => void) => ledger.onGranted(listener);
  const sources = { hosts, secrets, secretStore, companions: Object.values(stores), onSlotGranted };
  return { controller: new HostController(sources, queue, reconciler), queue };
}

/** What a Secret holds is read when it is needed, and never kept. */
function withoutData(secret: KubeObject): KubeObject {
  const { data: _data, stringData: _stringData, ...rest } = secret;
  return withoutManagedFields(rest as KubeObject);
}
