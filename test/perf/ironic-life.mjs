// The Ironic requests and the API writes of one host's life, on the embedded servers: from nothing to provisioned, and from there until it is
// gone. Exact, where times are noise; phases of 0.2 s, so that waiting for the machine costs few looks.
import { customResourceDefinitions } from '../../dist/src/apis/index.js';
import { SystemClock, SystemRandom } from '../../dist/src/clock.js';
import { Operator } from '../../dist/src/cli/operator.js';
import { applyManifests } from '../../dist/src/cli/up/apply.js';
import { parseManifests } from '../../dist/src/cli/manifests.js';
import { ironicConfig } from '../../dist/src/config/ironic.js';
import { EmbeddedIronic } from '../../dist/src/embedded/ironic/index.js';
import { EmbeddedKubeServer } from '../../dist/src/embedded/kube/index.js';
import { parseKubeConfig } from '../../dist/src/kube/index.js';
import { createLog } from '../../dist/src/observability/log.js';
import { Metrics } from '../../dist/src/observability/metrics.js';
import { IronicProvisionerFactory } from '../../dist/src/provisioner/ironic/index.js';
import { writesIn } from './fleet-available.mjs';

const manifest = `
apiVersion: v1
kind: Secret
metadata: { name: bmc, namespace: life }
stringData: { username: admin, password: pw }
---
apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: { name: host, namespace: life }
spec:
  online: true
  bootMACAddress: 02:00:00:00:00:01
  bmc: { address: "redfish://192.0.2.1/redfish/v1/Systems/1", credentialsName: bmc }
  image: { url: "http://images/os.qcow2", checksum: abcd, checksumType: sha256 }
`;
const host = { group: 'metal3.io', version: 'v1alpha1', kind: 'BareMetalHost', plural: 'baremetalhosts' };

/** What this script writes itself: namespace, Secret and host, and the end of the host. */
const personsWrites = 4;

export async function ironicLife() {
  const [clock, random] = [new SystemClock(), new SystemRandom()];
  const kube = new EmbeddedKubeServer({ crds: customResourceDefinitions(), clock });
  const ironic = new EmbeddedIronic({ clock, phases: { phaseSeconds: 0.2 } });
  await kube.start();
  const { url } = await ironic.start();
  const environment = {
    IRONIC_ENDPOINT: url,
    DEPLOY_KERNEL_URL: 'http://images/kernel',
    DEPLOY_RAMDISK_URL: 'http://images/ramdisk',
  };
  const operator = new Operator({
    cluster: parseKubeConfig(kube.kubeconfig(), clock),
    provisioners: new IronicProvisionerFactory({
      config: ironicConfig(environment, { imageBuilder: false }),
      clock,
      random,
    }),
    clock,
    random,
    log: createLog('error'),
    metrics: new Metrics(),
    settings: { namespaces: [], workers: 4, qps: 0, burst: 0, maxProvisioningRetries: 5, leaderElection: undefined },
  });
  const requests = () => Object.values(ironic.requestCounts()).reduce((sum, count) => sum + count, 0);
  const until = async (is) => {
    while (!is(operator.hosts.get('life/host'))) await clock.sleep(50);
  };
  await operator.start();
  await applyManifests(operator.api, parseManifests(manifest, 'bench'));
  await until((object) => object?.status?.provisioning?.state === 'provisioned');
  const toProvisioned = requests();
  await operator.api.delete(host, { namespace: 'life', name: 'host' });
  await until((object) => object === undefined);
  const life = requests();
  await operator.stop();
  const writes = writesIn(kube.requestCounts()) - personsWrites;
  await ironic.stop();
  await kube.stop();
  return { requestsToProvisioned: toProvisioned, requestsPerLife: life, apiWritesPerLife: writes };
}
