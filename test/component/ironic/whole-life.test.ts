import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { derivedUUID } from '../../../src/provisioner/ironic/index.js';
import { EmbeddedHost } from '../../support/embedded-host.js';
import { DONE, hostUID, inspectData, provisionData } from '../../support/ironic-host.js';

let host: EmbeddedHost;

beforeEach(async () => {
  host = await new EmbeddedHost({
    bmcAddress: 'redfish-virtualmedia://192.0.2.1/redfish/v1/Systems/1',
    bootMACAddress: '02:00:00:00:00:01',
  }).start();
});
afterEach(() => host.stop());

const register = (state: string) => host.register({ state });
const deprovision = () =>
  host.run((p) => p.deprovision({ restartOnFailure: false, automatedCleaningMode: 'metadata' }));

async function inspect(): Promise<unknown> {
  let found: unknown;
  const result = await host.run(async (provisioner) => {
    const answer = await provisioner.inspectHardware(inspectData());
    found = answer.details;
    return answer.result;
  });
  expect(result).toEqual(DONE);
  return found;
}

describe('an Ironic of an older version', () => {
  it.each(['1.89', '1.93', '1.94', '1.95'])(
    'that offers no more than %s takes a host, and lets it go',
    async (newest) => {
      const bmcAddress = 'redfish://192.0.2.2/redfish/v1/Systems/1';
      const old = await new EmbeddedHost({ bmcAddress, bootMACAddress: '02:00:00:00:00:02' }, newest).start();
      try {
        expect(await old.register({ state: 'registering' })).toEqual(DONE);
        expect(old.state).toBe('manageable');
        expect(await old.register({ state: 'preparing' })).toEqual(DONE);
        expect(await old.run((p) => p.powerOn(false))).toEqual(DONE);
        expect(await old.run((p) => p.delete())).toEqual(DONE);
        expect(old.ironic.nodes()).toEqual([]);
      } finally {
        await old.stop();
      }
    },
  );
});

describe('a whole life on an Ironic', () => {
  it('goes from enrolment to removal and leaves nothing behind', async () => {
    expect(await register('registering')).toEqual(DONE);
    expect(host.provisionerID).toBe(derivedUUID(hostUID));
    expect(await inspect()).toMatchObject({ cpu: { arch: expect.any(String) }, nics: expect.any(Array) });
    const image = { url: 'http://images.example/disk.qcow2', checksum: 'ab'.repeat(32), checksumType: 'sha256' };
    expect(await host.run((p) => p.provision(provisionData({ image })))).toEqual({
      ...DONE,
      begun: { imageURL: image.url },
    });
    expect(host.state).toBe('active');
    expect(await register('provisioned')).toEqual(DONE);
    expect(await host.run((p) => p.adopt({ state: 'provisioned', restartOnFailure: false }))).toEqual(DONE);
    expect(await deprovision()).toEqual(DONE);
    expect(host.state).toBe('available');
    expect(
      await host.run((p) => p.powerOff({ rebootMode: 'soft', force: false, automatedCleaningMode: 'metadata' })),
    ).toEqual(DONE);
    expect(await host.run((p) => p.delete())).toEqual(DONE);
    expect(host.ironic.nodes()).toEqual([]);
  });

  it('finds the node again when the answer to its creation was lost', async () => {
    expect(await register('registering')).toEqual(DONE);
    const first = host.provisionerID;
    host.provisionerID = '';
    expect(await register('registering')).toEqual(DONE);
    expect(host.provisionerID).toBe(first);
    host.provisionerID = '';
    expect(await host.run((p) => p.delete())).toEqual(DONE);
    expect(host.ironic.nodes()).toEqual([]);
  });

  it('can be ended in the middle of an inspection', async () => {
    await register('registering');
    const provisioner = await host.provisioner();
    expect(await provisioner.inspectHardware(inspectData())).toMatchObject({ started: true });
    expect(
      await host.run((p) => p.powerOff({ rebootMode: 'hard', force: false, automatedCleaningMode: 'metadata' })),
    ).toEqual(DONE);
    expect(await host.run((p) => p.delete())).toEqual(DONE);
    expect(host.ironic.nodes()).toEqual([]);
  });
});
