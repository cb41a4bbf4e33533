import { afterAll, expect, it, jest } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import { type KubeObject, secretKind, type SecretObject } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { verdictOf } from '../../support/object-bench.js';
import { UpFolder, UpProcess } from '../../support/up-process.js';

jest.setTimeout(120_000);

const folder = new UpFolder();
afterAll(() => folder.remove());

const login = { username: 'admin', password: 'right' };
const secret = (name: string, namespace = 'default') => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } },
  stringData: login,
});
const apiVersion = 'metal3.io/v1alpha1';

it('`up --build-preprov-image` has each host boot an agent image of its own, as its driver takes it', async () => {
  const host = (name: string, scheme: string, number: number) => ({
    ...{ apiVersion, kind: 'BareMetalHost', metadata: { name } },
    spec: {
      ...{ online: true, bootMACAddress: `02:00:00:00:07:0${number}` },
      bmc: { address: `${scheme}://192.0.2.${number}/redfish/v1/Systems/1`, credentialsName: 'bmc' },
    },
  });
  const hosts = [host('by-media', 'redfish-virtualmedia', 1), host('by-network', 'redfish', 2)];
  const file = folder.manifests('hosts.yaml', [secret('bmc'), ...hosts]);
  const up = await UpProcess.start(['-f', file, '--build-preprov-image', '--data', folder.dataDir], 20);
  try {
    for (const name of ['by-media', 'by-network']) {
      await up.watch.until(
        `default/${name}`,
        'available',
        (object) => object?.status?.provisioning.state === 'available',
      );
      const image = await up.watch.api.get<KubeObject>(kinds.preprovisioningImage, { namespace: 'default', name });
      expect(verdictOf(image, 'Ready')).toBe('True ImageSuccess');
      expect(image?.status).toMatchObject({ format: 'initrd', imageUrl: 'http://images.example.com/agent/ramdisk' });
    }
  } finally {
    expect(await up.end()).toBe(0);
  }
  const lines = folder.ironicJournal().map((line) => JSON.stringify(line));
  expect(lines.filter((line) => line.includes('images.example.com/agent/ramdisk')).length).toBeGreaterThan(1);
});

it('`up --switches` tells the switches of each namespace to the Secrets that it makes there', async () => {
  const spec = {
    ...{ address: '192.0.2.9', macAddress: '02:00:00:00:07:09', deviceType: 'netmiko_cisco_ios' },
    credentials: { name: 'login' },
  };
  const own = { apiVersion, kind: 'BareMetalSwitch', metadata: { name: 'tor', namespace: 'racks' }, spec };
  const file = folder.manifests('switches.yaml', [secret('login', 'racks'), own]);
  const up = await UpProcess.start(['-f', file, '--switches'], 20);
  try {
    await eventually('the word of the switch', async () => {
      const object = await up.watch.api.get<KubeObject>(kinds.bareMetalSwitch, { namespace: 'racks', name: 'tor' });
      return verdictOf(object, 'Valid') === 'True Reconciled';
    });
    const place = { namespace: 'racks', name: 'metal3-switch-configs' };
    const configs = await up.watch.api.get<SecretObject>(secretKind, place);
    const text = Buffer.from(configs?.data?.['switch-configs.conf'] ?? '', 'base64').toString('utf8');
    expect(text).toContain('[switch:tor]\naddress=192.0.2.9\n');
    const others = { namespace: 'default', name: 'metal3-switch-credentials' };
    expect(await up.watch.api.get(secretKind, others)).toBeDefined();
  } finally {
    expect(await up.end()).toBe(0);
  }
});
