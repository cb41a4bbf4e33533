import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HostConfig, ProvisionData } from '../../../src/provisioner/index.js';
import {
  D,
  DONE,
  hostUID,
  StillClock,
  provisionData,
  testHost,
  type TestHostOptions,
} from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const node = `nodes/${nodeUUID}`;
const GET = `GET ${node}`;
const PATCH = `PATCH ${node}`;
const PROV = `PUT ${node}/states/provision`;
const CLEAR = `DELETE ${node}/maintenance`;
const target = () => mock.last('PUT', `${node}/states/provision`).body;
const patch = () => mock.last('PATCH', node).body;

describe('provisioning', () => {
  async function provision(data: Partial<ProvisionData> = {}, options: TestHostOptions = {}) {
    const { provisioner, events } = await testHost(mock, options);
    return { result: await provisioner.provision(provisionData(data)), events };
  }
  const config = (values: Partial<Record<keyof HostConfig, string>>): HostConfig => ({
    userData: () => Promise.resolve(values.userData ?? ''),
    networkData: () => Promise.resolve(values.networkData ?? ''),
    metaData: () => Promise.resolve(values.metaData ?? ''),
  });
  const standardMetaData = {
    uuid: hostUID,
    'metal3-namespace': 'myns',
    'metal3-name': 'myhost',
    'local-hostname': 'myhost',
    local_hostname: 'myhost',
    name: 'myhost',
  };
  const inPatch = (path: string) => patch().find((operation: { path: string }) => operation.path === path);

  it('of an available node sets the image, validates and deploys', async () => {
    mock.node({ provision_state: 'available' });
    const { result, events } = await provision({
      rootDeviceHints: { deviceName: '/dev/sda', minSizeGigabytes: 40 },
      hostConfig: config({ userData: 'u' }),
    });
    expect(result).toEqual(D(3));
    expect(events).toEqual(['ProvisioningStarted: Provisioning with http://test-image']);
    expect(mock.sequence()).toEqual([GET, PATCH, `GET ${node}/validate`, PROV]);
    expect(patch()).toEqual([
      { op: 'add', path: '/instance_uuid', value: hostUID },
      { op: 'add', path: '/instance_info/capabilities', value: {} },
      { op: 'add', path: '/instance_info/root_device', value: { name: 's== /dev/sda', size: '>= 40' } },
      { op: 'add', path: '/instance_info/image_source', value: 'http://test-image' },
      { op: 'add', path: '/instance_info/image_os_hash_algo', value: 'sha256' },
      { op: 'add', path: '/instance_info/image_os_hash_value', value: 'abcd' },
      { op: 'add', path: '/driver_info/force_persistent_boot_device', value: 'Default' },
    ]);
    expect(target()).toEqual({ target: 'active', configdrive: { user_data: 'u', meta_data: standardMetaData } });
  });

  it('leaves the algorithm to Ironic when the checksum has no type', async () => {
    mock.node({ provision_state: 'available', instance_info: { image_os_hash_algo: 'md5', image_os_hash_value: 'x' } });
    await provision({ image: { url: 'http://i', checksum: 'abcd', checksumType: 'auto' } });
    expect(inPatch('/instance_info/image_checksum')).toMatchObject({ value: 'abcd' });
    expect(inPatch('/instance_info/image_os_hash_algo')).toMatchObject({ op: 'remove' });
    expect(inPatch('/instance_info/image_os_hash_value')).toMatchObject({ op: 'remove' });
  });

  it('boots a live ISO, and drops what was set for a disk image', async () => {
    mock.node({
      provision_state: 'available',
      instance_info: { image_source: 'http://old', image_checksum: 'c', image_disk_format: 'qcow2' },
    });
    const unread = () => Promise.reject(new Error('not to be read'));
    await provision(
      {
        image: { url: 'http://iso', format: 'live-iso' },
        hostConfig: { userData: unread, networkData: unread, metaData: unread },
      },
      { config: { liveISOPersistentBootDevice: 'Always' } },
    );
    expect(inPatch('/instance_info/boot_iso')).toMatchObject({ op: 'add', value: 'http://iso' });
    expect(inPatch('/deploy_interface')).toMatchObject({ op: 'add', value: 'ramdisk' });
    expect(inPatch('/instance_info/image_source')).toMatchObject({ op: 'remove' });
    expect(inPatch('/instance_info/image_checksum')).toMatchObject({ op: 'remove' });
    expect(inPatch('/instance_info/image_disk_format')).toBeUndefined();
    expect(inPatch('/driver_info/force_persistent_boot_device')).toMatchObject({ value: 'Always' });
    expect(target()).toEqual({ target: 'active', configdrive: {} });
  });

  it('goes back from a live ISO to a disk image', async () => {
    mock.node({ provision_state: 'available', deploy_interface: 'ramdisk', instance_info: { boot_iso: 'http://iso' } });
    await provision();
    expect(patch()).toContainEqual({ op: 'remove', path: '/instance_info/boot_iso' });
    expect(patch()).toContainEqual({ op: 'remove', path: '/deploy_interface' });
  });

  it('runs a custom step without an image', async () => {
    const old = { image_source: 'x', image_os_hash_algo: 'md5', image_os_hash_value: 'y', image_disk_format: 'raw' };
    mock.node({ provision_state: 'available', instance_info: old });
    await provision({ image: undefined, customDeploy: { method: 'install_everything' } });
    for (const key of Object.keys(old)) {
      expect(patch()).toContainEqual({ op: 'remove', path: `/instance_info/${key}` });
    }
    expect(inPatch('/deploy_interface')).toMatchObject({ value: 'custom-agent' });
    expect(inPatch('/driver_info/force_persistent_boot_device')).toBeUndefined();
    expect(target()).toEqual({
      target: 'active',
      configdrive: { meta_data: standardMetaData },
      deploy_steps: [{ interface: 'deploy', step: 'install_everything', args: {}, priority: 80 }],
    });
  });

  it('gives a custom step its image, checksum type and all', async () => {
    mock.node({ provision_state: 'available' });
    await provision({
      image: { url: 'http://i', checksum: 'abcd', format: 'raw' },
      customDeploy: { method: 'm' },
    });
    expect(inPatch('/instance_info/image_source')).toMatchObject({ value: 'http://i' });
    expect(inPatch('/instance_info/image_disk_format')).toMatchObject({ value: 'raw' });
    expect(inPatch('/instance_info/image_os_hash_algo')).toMatchObject({ value: '' });
    expect(inPatch('/instance_info/image_os_hash_value')).toMatchObject({ value: 'abcd' });
  });

  it('hands the credentials of an OCI registry on, and takes them back', async () => {
    mock.node({ provision_state: 'available' });
    await provision({ image: { url: 'oci://r/i' }, imagePullSecret: 'user:pass' });
    expect(inPatch('/instance_info/image_pull_secret')).toMatchObject({ value: 'user:pass' });
    await provision({ image: { url: 'oci://r/i' } });
    expect(inPatch('/instance_info/image_pull_secret')).toBeUndefined();
    mock.node({ provision_state: 'available', instance_info: { image_pull_secret: '******' } });
    await provision({ image: { url: 'oci://r/i' } });
    expect(inPatch('/instance_info/image_pull_secret')).toMatchObject({ op: 'remove' });
  });

  it('lets metadata and network data come from Secrets', async () => {
    mock.node({ provision_state: 'available' });
    await provision({ hostConfig: config({ metaData: 'test: Meta', networkData: '{"test":"NetworkData"}' }) });
    expect(target().configdrive).toEqual({
      network_data: { test: 'NetworkData' },
      meta_data: { ...standardMetaData, test: 'Meta' },
    });
  });

  it('takes YAML that merges one mapping into another', async () => {
    mock.node({ provision_state: 'available' });
    await provision({ hostConfig: config({ metaData: 'base: &base\n  zone: a\nrack:\n  <<: *base\n  row: 1' }) });
    expect(target().configdrive.meta_data).toMatchObject({ rack: { zone: 'a', row: 1 } });
  });

  it.each([
    ['user data', { userData: () => Promise.reject(new Error('gone')) }],
    ['network data', { networkData: () => Promise.resolve('[1]') }],
    ['network data', { networkData: () => Promise.resolve('{') }],
    ['metadata', { metaData: () => Promise.resolve('hush-hush') }],
  ])('says that the %s is unusable, and not what it is', async (what, broken) => {
    mock.node({ provision_state: 'available' });
    const attempt = provision({ hostConfig: { ...config({}), ...broken } });
    await expect(attempt).rejects.toThrow(what);
    await expect(attempt).rejects.not.toThrow('hush-hush');
  });

  const deployed = { image_source: 'http://test-image', image_os_hash_algo: 'sha256', image_os_hash_value: 'abcd' };

  it('that failed for the same image shows why', async () => {
    mock.node({ provision_state: 'deploy failed', instance_info: deployed, last_error: 'disk too small' });
    expect((await provision()).result).toEqual({
      kind: 'failed',
      message: 'Image provisioning failed (url: http://test-image, checksum: abcd): disk too small',
    });
    mock.node({ provision_state: 'deploy failed', instance_info: { image_source: 'oci://r/i' }, last_error: 'e' });
    expect((await provision({ image: { url: 'oci://r/i' } })).result).toEqual({
      kind: 'failed',
      message: 'Image provisioning failed (url: oci://r/i): e',
    });
  });

  it('by a custom step that failed shows why, also to whoever wishes for another way by now', async () => {
    const custom = { provision_state: 'deploy failed', deploy_interface: 'custom-agent', last_error: 'no such step' };
    mock.node(custom);
    const wish = { image: undefined, customDeploy: { method: 'install' } };
    expect((await provision(wish)).result).toEqual({
      kind: 'failed',
      message: 'Custom deploy failed (method: install): no such step',
    });
    const image = { url: 'http://i', checksum: 'abcd' };
    mock.node({
      ...custom,
      instance_info: { image_source: 'http://i', image_os_hash_algo: '', image_os_hash_value: 'abcd' },
    });
    expect((await provision({ ...wish, image })).result).toEqual({
      kind: 'failed',
      message: 'Image provisioning failed (url: http://i, checksum: abcd, method: install): no such step',
    });
    expect(mock.sequence()).toEqual([GET, GET]);
    // Ironic would refuse the other deploy interface in this state.
    expect((await provision({ image, customDeploy: undefined })).result).toMatchObject({ kind: 'failed' });
    expect(mock.sequence()).toEqual([GET, GET, GET]);
  });

  it('of an image with an untyped checksum that failed shows why', async () => {
    const instance_info = { image_source: 'http://i', image_checksum: 'abcd', image_os_hash_algo: 'sha256' };
    mock.node({ provision_state: 'deploy failed', instance_info, last_error: 'e' });
    expect((await provision({ image: { url: 'http://i', checksum: 'abcd' } })).result).toEqual({
      kind: 'failed',
      message: 'Image provisioning failed (url: http://i, checksum: abcd): e',
    });
  });

  it('whose failure has no reason yet is looked at again at once', async () => {
    mock.node({ provision_state: 'deploy failed', instance_info: deployed, last_error: null });
    expect((await provision()).result).toEqual(D(0));
  });

  it('whose failure has no reason for good is told without one', async () => {
    mock.node({ provision_state: 'deploy failed', instance_info: deployed, last_error: null });
    const clock = new StillClock();
    const { provisioner } = await testHost(mock, { factory: { clock } });
    const looked = async () => provisioner.provision(provisionData());
    expect(await looked()).toEqual(D(0));
    clock.ms += 4900;
    expect(await looked()).toEqual(D(0));
    clock.ms += 200;
    expect(await looked()).toEqual({
      kind: 'failed',
      message: expect.stringMatching(/^Image provisioning failed .*: Ironic has kept no reason/),
    });
  });

  it('that failed for another image starts with the new one', async () => {
    mock.node({ provision_state: 'deploy failed', instance_info: { image_source: 'http://other' }, last_error: 'e' });
    expect((await provision()).result).toEqual(D(3));
    expect(mock.sequence()).toEqual([GET, PATCH, `GET ${node}/validate`, PROV]);
  });

  it('that failed for something deployed another way is told, and not tried in a state that refuses the change', async () => {
    mock.node({
      provision_state: 'deploy failed',
      instance_info: deployed,
      deploy_interface: 'direct',
      last_error: 'e',
    });
    const { result } = await provision({ customDeploy: { method: 'install' } });
    expect(result).toEqual({ kind: 'failed', message: expect.stringMatching(/before this one failed: e\./) });
    expect(mock.sequence()).toEqual([GET]);
  });

  it.each(['available', 'active', 'cleaning'])('of an image without checksum is refused in %s', async (state) => {
    mock.node({ provision_state: state });
    expect((await provision({ image: { url: 'http://i' } })).result).toEqual({
      kind: 'failed',
      message:
        'Validation failed: checksum is required for normal images: give the digest of the image, or the URL of a file with it',
    });
    expect(mock.sequence()).toEqual([GET]);
  });

  it('of a manageable node makes it available first', async () => {
    mock.node({ provision_state: 'manageable' });
    expect((await provision()).result).toEqual(D(3));
    expect(target()).toEqual({ target: 'provide' });
  });

  it('waits while the node is at fault, and lifts a maintenance that is not', async () => {
    mock.node({ provision_state: 'manageable', fault: 'power fault', maintenance: true });
    const waitsFor = 'the fault "power fault" of its Ironic node to end';
    expect((await provision()).result).toEqual({ ...D(10), waitsFor });
    expect(mock.sequence()).toEqual([GET]);
    mock.node({ provision_state: 'manageable', maintenance: true });
    expect((await provision()).result).toEqual(D(0));
    expect(mock.sequence().at(-1)).toBe(CLEAR);
  });

  it('tells a failed cleaning with its reason, and leaves the node as it is', async () => {
    mock.node({ provision_state: 'clean failed', maintenance: true, fault: 'clean failure', last_error: 'stuck' });
    const result = { kind: 'failed', message: 'Cleaning failed: stuck' };
    expect(await provision()).toEqual({ result, events: [] });
    expect(mock.sequence()).toEqual([GET]);
  });

  it('tells a failed cleaning whose reason stays away without one', async () => {
    mock.node({ provision_state: 'clean failed', maintenance: true, fault: 'clean failure', last_error: null });
    const clock = new StillClock();
    const { provisioner } = await testHost(mock, { factory: { clock } });
    expect(await provisioner.provision(provisionData())).toEqual(D(0));
    clock.ms += 5100;
    expect(await provisioner.provision(provisionData())).toEqual({
      kind: 'failed',
      message: 'Cleaning failed: Ironic has kept no reason; its log has it',
    });
  });

  it('is complete once the node is active', async () => {
    mock.node({ provision_state: 'active' });
    expect(await provision()).toEqual({
      result: { ...DONE, begun: { imageURL: '' } },
      events: ['ProvisioningComplete: Provisioned with http://test-image'],
    });
    const other = 'http://other-image';
    mock.node({ provision_state: 'active', instance_info: { image_source: other } });
    expect(await provision()).toEqual({
      result: { ...DONE, begun: { imageURL: other } },
      events: [`ProvisioningComplete: Provisioned with ${other}`],
    });
  });

  it('waits for the agent, unless a reboot is forced', async () => {
    mock.node({ provision_state: 'wait call-back', instance_info: { boot_iso: 'http://iso' } });
    const begun = { imageURL: 'http://iso' };
    expect((await provision()).result).toEqual({ ...D(10), begun });
    expect((await provision({ forceReboot: true })).result).toEqual({ ...D(3), begun });
    expect(target()).toEqual({ target: 'deleted' });
  });

  it.each(['cleaning', 'clean wait', 'deleting'])('waits in %s', async (state) => {
    mock.node({ provision_state: state });
    expect((await provision()).result).toEqual(D(10));
  });

  it('waits in deploying', async () => {
    mock.node({ provision_state: 'deploying' });
    expect((await provision()).result).toEqual({ ...D(10), begun: { imageURL: '' } });
  });

  it.each(['inspect wait', 'inspect failed', 'error', 'clean hold'])(
    'waits in %s, and says for what',
    async (state) => {
      mock.node({ provision_state: state });
      const waitsFor = `its Ironic node to leave the state "${state}"`;
      expect((await provision()).result).toEqual({ ...D(10), waitsFor });
    },
  );

  it('shows every reason why the node does not validate', async () => {
    mock.node({ provision_state: 'available' });
    const no = (reason: string) => ({ result: false, reason });
    mock.on('GET', `/v1/${node}/validate`, { body: { boot: no('r1'), deploy: no('r2'), power: no('r3') } });
    expect(await provision()).toEqual({
      result: { kind: 'failed', message: 'host validation error: r1; r2' },
      events: [],
    });
    expect(mock.sequence()).not.toContain(PROV);
  });

  it('tries again soon when validation is locked', async () => {
    mock.node({ provision_state: 'available' }).on('GET', `/v1/${node}/validate`, { status: 409 });
    expect(await provision()).toEqual({ result: D(3), events: [] });
  });

  it('keeps every secret out of what Ironic says', async () => {
    const credentials = () => Promise.resolve({ username: 'admin', password: 'bmcpw' });
    mock.node({ provision_state: 'available' });
    mock.on('PUT', `/v1/${node}/states/provision`, ({ body }) => ({
      status: 400,
      body: { error_message: JSON.stringify({ faultstring: `bad: ${JSON.stringify(body)}` }) },
    }));
    const attempt = provision({ hostConfig: config({ userData: 'top\n"secret"' }) }, { host: { credentials } });
    const message = await attempt.catch((error: Error) => error.message);
    expect(message).toContain('got 400 instead: bad');
    expect(message).not.toContain('secret');
    expect(message).toContain('***');
  });
});

describe('adoption', () => {
  async function adopt(restartOnFailure = false, state = 'provisioned') {
    return (await testHost(mock)).provisioner.adopt({ state, restartOnFailure });
  }

  it.each(['enroll', 'verifying'])('makes no sense in %s', async (state) => {
    mock.node({ provision_state: state });
    await expect(adopt()).rejects.toMatchObject({ code: 'IRONIC_UNEXPECTED_STATE' });
  });

  it('starts from manageable, unless the host is being deprovisioned', async () => {
    mock.node({ provision_state: 'manageable' });
    expect(await adopt(false, 'deprovisioning')).toEqual(DONE);
    expect(await adopt()).toEqual(D(3));
    expect(target()).toEqual({ target: 'adopt' });
  });

  it('of a node that was free goes by way of manageable, if others have provisioned the host', async () => {
    mock.node({ provision_state: 'available' });
    expect(await adopt()).toEqual(DONE);
    expect(await adopt(false, 'deprovisioning')).toEqual(DONE);
    expect(mock.sequence().filter((each) => each.startsWith('PUT'))).toEqual([]);
    expect(await adopt(false, 'externally provisioned')).toEqual(D(3));
    expect(target()).toEqual({ target: 'manage' });
  });

  it('is waited for', async () => {
    mock.node({ provision_state: 'adopting' });
    expect(await adopt()).toEqual(D(3));
  });

  it('that failed shows why, and is retried', async () => {
    mock.node({ provision_state: 'adopt failed', last_error: 'no port' });
    expect(await adopt()).toEqual({ kind: 'failed', message: 'Host adoption failed: no port' });
    expect(await adopt(true)).toEqual(D(3));
  });

  it('of an active node lifts only a maintenance without fault', async () => {
    mock.node({ provision_state: 'active' });
    expect(await adopt()).toEqual(DONE);
    mock.node({ provision_state: 'active', maintenance: true, fault: 'power failure' });
    expect(await adopt()).toEqual(DONE);
    mock.node({ provision_state: 'active', maintenance: true });
    expect(await adopt(false, 'deleting')).toEqual(DONE);
    expect(await adopt()).toEqual(D(0));
    expect(mock.sequence().at(-1)).toBe(CLEAR);
  });
});
