import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { derivedUUID } from '../../../src/provisioner/ironic/index.js';
import { D, DONE, hostUID, registerData, testHost, type TestHostOptions } from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const fresh = { provisionerID: '' };
const node = `nodes/${nodeUUID}`;
const lookups = ['GET nodes/myns~myhost', 'GET nodes/myhost'];

async function register(data: Parameters<typeof registerData>[0] = {}, options: TestHostOptions = {}) {
  const { provisioner, events } = await testHost(mock, options);
  return { ...(await provisioner.register(registerData(data))), events };
}

/** A Ironic in which the host is unknown and can be created. */
function unknownHost() {
  mock.absent('myns~myhost', 'myhost').ports();
  mock.on('POST', '/v1/nodes', ({ body }) => ({
    status: 201,
    body: { ...body, uuid: nodeUUID, provision_state: 'enroll' },
  }));
  return mock.on('PUT', `/v1/${node}/states/provision`, { status: 202 });
}

describe('registering is refused', () => {
  it('without a boot MAC address where the driver needs one, after looking for a node', async () => {
    mock.absent('myns~myhost', 'myhost');
    const result = await register({}, { host: { ...fresh, bmcAddress: 'test-needs-mac://test.bmc/' } });
    expect(result).toMatchObject({ provisionerID: '', result: { kind: 'failed' } });
    expect(result.result).toMatchObject({ message: expect.stringContaining('requires a BootMACAddress') });
    expect(mock.sequence()).toEqual(lookups);
  });

  it('without a boot MAC address when inspection is disabled', async () => {
    mock.absent('myns~myhost', 'myhost');
    const { result } = await register({ disableInspection: true }, { host: fresh });
    expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('requires a BootMACAddress') });
    expect(mock.sequence()).toEqual(lookups);
  });

  it.each([
    ['test://test.bmc/', { inspectionMode: 'fast' }, {}, 'driver test does not support fast (out-of-band) inspection'],
    ['ipmi://h', { inspectionMode: 'fast' }, {}, 'does not support fast (out-of-band) inspection'],
    ['ipmi://h', { bootMode: 'UEFISecureBoot' }, {}, 'driver ipmi does not support secure boot'],
    [
      'redfish+http://h',
      {},
      { provisioningNetworkDisabled: true },
      'driver redfish+http requires a provisioning network',
    ],
    ['ipmi://h', {}, { provisioningNetworkDisabled: true }, 'requires a provisioning network'],
    ['', {}, {}, 'failed to parse BMC address information: missing BMC address'],
    [
      '<ipmi://192.168.122.1:6233>',
      {},
      {},
      /^failed to parse BMC address information: failed to parse BMC address information: .*colon$/,
    ],
  ] as const)('for %s with %j and %j, without asking Ironic', async (bmcAddress, data, config, problem) => {
    const { result, provisionerID } = await register(data, { host: { ...fresh, bmcAddress }, config });
    const message: unknown =
      typeof problem === 'string' ? expect.stringContaining(problem) : expect.stringMatching(problem);
    expect(result).toEqual({ kind: 'failed', message });
    expect(provisionerID).toBe('');
    expect(mock.sequence()).toEqual([]);
  });

  it('with DisablePowerOff on an Ironic that is too old for it', async () => {
    await mock.stop();
    mock = await MockIronic.start('1.89');
    const { result } = await register({ disablePowerOff: true }, { host: fresh });
    expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('refusing to manage') });
    expect(mock.sequence()).toEqual([]);
  });

  it('when the boot MAC address belongs to a node of another name', async () => {
    unknownHost().ports({ address: '11:11:11:11:11:11', node_uuid: 'other' });
    mock.on('GET', '/v1/nodes/other', { body: { uuid: 'other', name: 'lab~ghost' } });
    const { result } = await register({}, { host: { ...fresh, bootMACAddress: '11:11:11:11:11:11' } });
    expect(result).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(
        /^MAC address 11:11:11:11:11:11 conflicts with existing node lab~ghost: .*delete that node/,
      ),
    });
  });

  it('when Ironic refuses the values of the node: the words of Ironic are shown', async () => {
    unknownHost().on('POST', '/v1/nodes', {
      status: 400,
      body: { error_message: JSON.stringify({ faultstring: 'No valid host was found, driver test, password pw' }) },
    });
    const { result } = await register({}, { host: fresh });
    expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('No valid host was found') });
    expect(JSON.stringify(result)).not.toContain('password pw');
  });
});

describe('a new node', () => {
  it('is created under the uuid that follows from the host, and managed', async () => {
    unknownHost();
    const { result, provisionerID, events } = await register({}, { host: fresh });
    expect(result).toEqual(D(3));
    expect(provisionerID).toBe(nodeUUID);
    expect(events).toEqual(['Registered: The host is registered']);
    expect(mock.sequence()).toEqual([...lookups, 'POST nodes', `PUT ${node}/states/provision`]);
    expect(mock.last('POST', 'nodes').body).toEqual({
      uuid: derivedUUID(hostUID),
      driver: 'test',
      name: 'myns~myhost',
      driver_info: { test_port: '42', test_username: 'admin', test_password: 'pw', test_address: 'test.bmc' },
      boot_interface: 'ipxe',
      raid_interface: 'no-raid',
      inspect_interface: 'agent',
      disable_power_off: false,
      properties: { capabilities: '', cpu_arch: '' },
    });
    expect(mock.last('PUT', `${node}/states/provision`).body).toEqual({ target: 'manage' });
  });

  it('carries what a virtual-media Redfish BMC, a live ISO and secure boot ask for', async () => {
    unknownHost();
    await register(
      {
        bootMode: 'UEFISecureBoot',
        cpuArchitecture: 'x86_64',
        currentImage: { url: 'http://iso', format: 'live-iso' },
      },
      {
        host: {
          ...fresh,
          bmcAddress: 'redfish-virtualmedia+http://10.0.0.5:8000/redfish/v1/Systems/1',
          disableCertificateVerification: true,
        },
      },
    );
    expect(mock.last('POST', 'nodes').body).toEqual({
      uuid: derivedUUID(hostUID),
      driver: 'redfish',
      name: 'myns~myhost',
      boot_interface: 'redfish-virtual-media',
      firmware_interface: 'redfish',
      deploy_interface: 'ramdisk',
      inspect_interface: 'agent',
      raid_interface: 'redfish',
      disable_power_off: false,
      driver_info: {
        redfish_address: 'http://10.0.0.5:8000',
        redfish_system_id: '/redfish/v1/Systems/1',
        redfish_username: 'admin',
        redfish_password: 'pw',
        redfish_verify_ca: false,
      },
      properties: { capabilities: 'boot_mode:uefi,secure_boot:true', cpu_arch: 'x86_64' },
    });
  });

  it('is inspected by the BMC in fast mode, and deployed by a custom agent on request', async () => {
    unknownHost();
    const bmcAddress = 'redfish://192.168.122.1/redfish/v1/Systems/1';
    await register({ inspectionMode: 'fast', hasCustomDeploy: true }, { host: { ...fresh, bmcAddress } });
    expect(mock.last('POST', 'nodes').body).toMatchObject({
      inspect_interface: 'redfish',
      deploy_interface: 'custom-agent',
    });
  });

  it.each([
    ['redfish://[2001:db8::1]', undefined, 'http://v6'],
    ['redfish://192.168.122.1', undefined, undefined],
    ['redfish://bmc.example', '2001:db8::2', 'http://v6'],
    ['redfish://bmc.example', undefined, undefined],
  ])('tells the BMC %s, resolved to %s, to fetch from %s', async (bmcAddress, resolved, url) => {
    unknownHost();
    await register(
      {},
      {
        host: { ...fresh, bmcAddress },
        config: { externalURLv6: 'http://v6' },
        factory: { resolve: () => Promise.resolve(resolved) },
      },
    );
    expect(mock.last('POST', 'nodes').body.driver_info.external_http_url).toBe(url);
  });

  it('that conflicts with nothing to be found is tried again soon', async () => {
    unknownHost().absent(derivedUUID(hostUID)!).on('POST', '/v1/nodes', { status: 409 });
    expect(await register({}, { host: fresh })).toMatchObject({ result: D(3), provisionerID: '' });
    expect(mock.sequence()).toEqual([
      ...lookups,
      'POST nodes',
      `GET nodes/${derivedUUID(hostUID)}`,
      'GET nodes/myns~myhost',
    ]);
  });

  it('whose creation was never heard of is found by its derived uuid in the same call', async () => {
    const uuid = derivedUUID(hostUID)!;
    mock.node({ uuid, name: '', provision_state: 'verifying' });
    mock.absent('myns~myhost', 'myhost').on('POST', '/v1/nodes', { status: 409 });
    const { result, provisionerID, events } = await register({}, { host: fresh });
    expect(provisionerID).toBe(uuid);
    expect(result).toEqual(D(3));
    expect(events).toEqual([]);
  });

  it('that conflicts by name is found by name', async () => {
    mock.node({ provision_state: 'verifying' }).absent(derivedUUID(hostUID)!, 'myhost');
    const body = { uuid: nodeUUID, name: 'myns~myhost', provision_state: 'verifying' };
    mock.on('GET', '/v1/nodes/myns~myhost', { status: 404 }, { body }).on('POST', '/v1/nodes', { status: 409 });
    expect(await register({}, { host: fresh })).toMatchObject({ provisionerID: nodeUUID });
  });

  it('fails with the reason of Ironic otherwise, as a passing problem', async () => {
    unknownHost().on('POST', '/v1/nodes', { status: 503, body: 'no worker' });
    await expect(register({}, { host: fresh })).rejects.toMatchObject({
      code: 'IRONIC_UNAVAILABLE',
      message: expect.stringMatching(/failed to register host in ironic: .*got 503 instead: no worker/),
    });
  });

  it('is not created without credentials', async () => {
    mock.absent('myns~myhost', 'myhost');
    const { result } = await register({}, { host: { ...fresh, credentials: () => Promise.resolve(undefined) } });
    expect(result).toMatchObject({ kind: 'failed' });
  });
});

describe('looking a host up', () => {
  const mac = '11:11:11:11:11:11';
  const withMAC = { ...fresh, bootMACAddress: mac };

  it('takes a nameless node that has its boot MAC address', async () => {
    mock.node({ name: '', provision_state: 'verifying' }).absent('myns~myhost', 'myhost');
    mock.ports({ address: mac, node_uuid: nodeUUID });
    expect(await register({}, { host: withMAC })).toMatchObject({ provisionerID: nodeUUID, result: D(3) });
    expect(mock.sequence()).toEqual([
      ...lookups,
      `GET ports?address=11%3A11%3A11%3A11%3A11%3A11&fields=node_uuid%2Cuuid%2Caddress`,
      `GET ${node}`,
      `PATCH ${node}`,
    ]);
    expect(mock.last('PATCH', node).body[0]).toEqual({ op: 'add', path: '/name', value: 'myns~myhost' });
  });

  it('reports a port whose node is gone', async () => {
    mock.absent('myns~myhost', 'myhost', 'lost').ports({ address: mac, node_uuid: 'lost' });
    await expect(register({}, { host: withMAC })).rejects.toThrow(
      /^failed to find existing host: .*port 11:11:11:11:11:11 exists but linked node lost/,
    );
  });

  it('takes ports that cannot be listed for none', async () => {
    unknownHost().on('GET', '/v1/ports', { status: 500 }, { body: { ports: [] } });
    expect(await register({}, { host: withMAC })).toMatchObject({ provisionerID: nodeUUID });
  });

  it('by name fails when Ironic fails', async () => {
    mock.on('GET', '/v1/nodes/myns~myhost', { status: 500 });
    await expect(register({}, { host: fresh })).rejects.toThrow(
      /^failed to find existing host: failed to find node by name/,
    );
  });

  it('does not try the old form for a name that holds a tilde', async () => {
    mock.absent('myns~a~b', derivedUUID(hostUID)!).on('POST', '/v1/nodes', { status: 409 });
    await register({}, { host: { ...fresh, name: 'a~b' } });
    expect(mock.sequence()[1]).toBe('POST nodes');
  });

  it('falls back to the name when the node of its ID is gone', async () => {
    mock.node({ provision_state: 'verifying' }).absent('stale');
    expect(await register({}, { host: { provisionerID: 'stale' } })).toMatchObject({ provisionerID: nodeUUID });
  });
});

describe('an existing node', () => {
  const driverInfo = {
    deploy_kernel: 'http://k',
    deploy_ramdisk: 'http://r',
    test_address: 'test.bmc',
    test_password: '******',
    test_port: '42',
  };
  const settled = {
    provision_state: 'manageable',
    automated_clean: true,
    driver_info: driverInfo,
    properties: { capabilities: '' },
  };

  it('that is as wished is left alone', async () => {
    mock.node(settled);
    expect(await register({}, { host: fresh })).toMatchObject({ result: DONE, provisionerID: nodeUUID });
    expect(mock.sequence()).toEqual(['GET nodes/myns~myhost']);
  });

  it('gets only what is missing', async () => {
    mock.node({ ...settled, automated_clean: undefined });
    expect(await register({}, { host: fresh })).toMatchObject({ result: DONE });
    expect(mock.last('PATCH', node).body).toEqual([{ op: 'add', path: '/automated_clean', value: true }]);
  });

  it('keeps the capabilities of others', async () => {
    mock.node({ ...settled, properties: { capabilities: 'cpu_vt:true,boot_mode:bios' } });
    await register({ bootMode: 'UEFI', cpuArchitecture: 'x86_64' });
    expect(mock.requests.filter((r) => r.method === 'PATCH').flatMap((r) => r.body)).toEqual([
      { op: 'add', path: '/properties/cpu_arch', value: 'x86_64' },
      { op: 'add', path: '/properties/capabilities', value: 'cpu_vt:true,boot_mode:uefi' },
    ]);
  });

  it('gets new credentials as a whole', async () => {
    mock.node({ ...settled, provision_state: 'verifying' });
    expect(await register({ credentialsChanged: true })).toMatchObject({ result: D(3), provisionerID: nodeUUID });
    expect(mock.last('PATCH', node).body).toEqual([
      {
        op: 'add',
        path: '/driver_info',
        value: { test_port: '42', test_username: 'admin', test_password: 'pw', test_address: 'test.bmc' },
      },
    ]);
  });

  it('gets a new address', async () => {
    mock.node({ provision_state: 'verifying', driver_info: { ipmi_address: '192.168.122.1', ipmi_port: '623' } });
    expect(await register({}, { host: { bmcAddress: 'ipmi://192.168.122.10:623' } })).toMatchObject({ result: D(3) });
    expect(mock.last('PATCH', node).body).toMatchObject([
      { op: 'add', path: '/driver_info', value: { ipmi_address: '192.168.122.10', ipmi_port: '623' } },
    ]);
  });

  it('keeps its driver when the address changes its kind', async () => {
    mock.node({ provision_state: 'verifying', driver: 'ipmi', driver_info: { ipmi_address: '192.168.122.1' } });
    const host = { bmcAddress: 'redfish://192.168.122.1:623', bootMACAddress: '11:11:11:11:11:11' };
    expect(await register({}, { host })).toMatchObject({ result: D(3) });
    expect(mock.sequence()).toEqual([`GET ${node}`, `PATCH ${node}`]);
    expect(mock.last('PATCH', node).body).toMatchObject([
      { op: 'add', path: '/driver_info', value: { redfish_address: 'https://192.168.122.1:623' } },
    ]);
  });

  it('that failed to enroll shows why, until something is changed', async () => {
    mock.node({ ...settled, provision_state: 'enroll', last_error: 'bad creds' });
    expect(await register()).toMatchObject({ result: { kind: 'failed', message: 'bad creds' } });
    for (const change of [{ restartOnFailure: true }, { credentialsChanged: true }]) {
      expect(await register(change)).toMatchObject({ result: D(3) });
      expect(mock.last('PUT', `${node}/states/provision`).body).toEqual({ target: 'manage' });
    }
  });

  it.each(['manage', 'manageable'])('on its way to %s is waited for', async (target) => {
    mock.node({ ...settled, provision_state: 'enroll', target_provision_state: target });
    expect(await register()).toMatchObject({ result: D(3) });
    expect(mock.sequence()).toEqual([`GET ${node}`]);
  });

  it.each(['inspecting', 'cleaning', 'clean wait', 'deploying', 'wait call-back'])(
    'in %s is left alone, ports too',
    async (state) => {
      mock.node({ ...settled, provision_state: state, automated_clean: undefined });
      const hardware = { nics: [{ mac: 'aa:aa:aa:aa:aa:aa' }] };
      const host = { bootMACAddress: '11:11:11:11:11:11' };
      expect(await register({ hardware }, { host })).toMatchObject({ result: DONE, provisionerID: nodeUUID });
      expect(mock.sequence()).toEqual([`GET ${node}`]);
    },
  );

  it('that is locked is tried again soon', async () => {
    mock.node({ ...settled, automated_clean: undefined }).on('PATCH', `/v1/${node}`, { status: 409 });
    expect(await register()).toMatchObject({ result: D(3), provisionerID: nodeUUID });
    expect(mock.sequence()).toEqual([`GET ${node}`, `PATCH ${node}`]);
  });

  it('whose settings Ironic refuses shows why', async () => {
    mock
      .node({ ...settled, automated_clean: undefined })
      .on('PATCH', `/v1/${node}`, { status: 400, body: 'bad option' });
    expect(await register()).toMatchObject({
      result: { kind: 'failed', message: expect.stringMatching(/failed to update host settings.*bad option/) },
    });
  });

  it('at fault is not commanded', async () => {
    mock.node({ ...settled, provision_state: 'enroll', fault: 'power failure', maintenance: true });
    expect(await register()).toMatchObject({ result: D(10) });
  });

  it('gets network data for its agent, unless images are built for it', async () => {
    mock.node({ ...settled, network_data: {} });
    await register({ preprovisioningNetworkData: 'a: 1' });
    expect(mock.last('PATCH', node).body).toContainEqual({ op: 'add', path: '/network_data', value: { a: 1 } });
    mock.requests.length = 0;
    const preprovisioningImage = {
      format: 'initrd',
      imageURL: 'http://r',
      kernelURL: '',
      extraKernelParams: '',
    } as const;
    await register({ preprovisioningNetworkData: 'a: 1', preprovisioningImage }, { config: { imageBuilder: true } });
    expect(mock.sequence()).toEqual([`GET ${node}`]);
    await expect(register({ preprovisioningNetworkData: '- 1' })).rejects.toThrow('invalid preprovisioningNetworkData');
  });

  it('goes without new access data when there are no credentials', async () => {
    mock.node({ ...settled, driver_info: { ...driverInfo, test_address: 'elsewhere' } });
    expect(await register({}, { host: { credentials: () => Promise.resolve(undefined) } })).toMatchObject({
      result: DONE,
    });
    expect(mock.sequence()).toEqual([`GET ${node}`]);
  });
});

describe('a host whose agent image is built for it', () => {
  const builder = { config: { imageBuilder: true } };
  const node = {
    provision_state: 'manageable',
    automated_clean: true,
    properties: { capabilities: '' },
    driver_info: { test_address: 'test.bmc' },
  };

  it.each([
    { state: 'preparing' },
    { state: 'inspecting' },
    { state: 'deprovisioning' },
    { state: 'provisioned', operationalStatus: 'servicing' },
  ])('cannot go on without it in %j', async (data) => {
    mock.node(node);
    await expect(register(data, builder)).rejects.toMatchObject({ code: 'NEEDS_PREPROVISIONING_IMAGE' });
  });

  it.each([
    { state: 'deprovisioning', automatedCleaningMode: 'disabled' },
    { state: 'inspecting', inspectionMode: 'fast' },
    { state: 'provisioning', currentImage: { url: 'http://iso', format: 'live-iso' } },
    { state: 'provisioned', operationalStatus: 'OK' },
    { state: 'available' },
  ] as const)('does not need it in %j', async (data) => {
    mock.node({ ...node, driver_info: { redfish_address: 'https://h' } });
    const { result } = await register(data, { ...builder, host: { bmcAddress: 'redfish://h' } });
    expect(result).toEqual(DONE);
  });

  it.each(['', 'ipmi//192.0.2.10'])(
    'but whose address is %j is told so by the registration, not before it',
    async (bmcAddress) => {
      const { provisioner } = await testHost(mock, { ...builder, host: { bmcAddress } });
      expect(await provisioner.preprovisioningImageFormats()).toBeUndefined();
      expect((await provisioner.register(registerData({ state: 'deprovisioning' }))).result).toMatchObject({
        kind: 'failed',
        message: expect.stringContaining('failed to parse BMC address information'),
      });
    },
  );

  it('tells which formats it takes', async () => {
    const formats = async (options: TestHostOptions) =>
      (await testHost(mock, options)).provisioner.preprovisioningImageFormats();
    expect(await formats({})).toBeUndefined();
    expect(await formats({ ...builder, host: { bmcAddress: 'redfish-virtualmedia://h' } })).toEqual(['iso', 'initrd']);
    expect(await formats({ ...builder, host: { bmcAddress: 'ipmi://h' } })).toEqual(['initrd']);
  });
});
