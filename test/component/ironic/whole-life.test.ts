import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EmbeddedIronic } from '../../../src/embedded/ironic/index.js';
import type { OperationResult, Provisioner } from '../../../src/provisioner/index.js';
import { derivedUUID, IronicProvisionerFactory } from '../../../src/provisioner/ironic/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import {
  DONE,
  hostAccess,
  hostUID,
  inspectData,
  ironicConfig,
  provisionData,
  registerData,
  steady,
} from '../../support/ironic-host.js';

const clock = new FakeClock();
let ironic: EmbeddedIronic;
let factory: IronicProvisionerFactory;
let provisionerID = '';
const host = {
  bmcAddress: 'redfish-virtualmedia://192.0.2.1/redfish/v1/Systems/1',
  bootMACAddress: '02:00:00:00:00:01',
};

beforeEach(async () => {
  provisionerID = '';
  ironic = new EmbeddedIronic({ clock });
  const { port } = await ironic.start();
  factory = new IronicProvisionerFactory({
    config: ironicConfig(`http://127.0.0.1:${port}/v1/`),
    clock,
    random: steady,
  });
});
afterEach(async () => {
  await factory.close();
  await ironic.stop();
});

/** Pass after pass, with time going on in between, until the operation has an outcome. */
async function run(operation: (provisioner: Provisioner) => Promise<OperationResult>): Promise<OperationResult> {
  for (let pass = 0; pass < 200; pass++) {
    const result = await operation(await factory.forHost(hostAccess({ ...host, provisionerID }), () => undefined));
    if (result.kind !== 'inProgress') return result;
    await clock.advanceAsync(Math.max(result.requeueAfterMs, 100));
  }
  throw new Error('no end of it');
}

const register = (state: string) =>
  run(async (provisioner) => {
    const answer = await provisioner.register(registerData({ state, bootMode: 'UEFI' }));
    provisionerID = answer.provisionerID || provisionerID;
    return answer.result;
  });
const deprovision = () => run((p) => p.deprovision({ restartOnFailure: false, automatedCleaningMode: 'metadata' }));
const state = () => ironic.node(provisionerID)?.provision_state;

async function inspect(): Promise<unknown> {
  let found: unknown;
  const result = await run(async (provisioner) => {
    const answer = await provisioner.inspectHardware(inspectData());
    found = answer.details;
    return answer.result;
  });
  expect(result).toEqual(DONE);
  return found;
}

describe('a whole life on an Ironic', () => {
  it('goes from enrolment to removal and leaves nothing behind', async () => {
    expect(await register('registering')).toEqual(DONE);
    expect(provisionerID).toBe(derivedUUID(hostUID));
    expect(await inspect()).toMatchObject({ cpu: { arch: expect.any(String) }, nics: expect.any(Array) });
    const image = { url: 'http://images.example/disk.qcow2', checksum: 'ab'.repeat(32), checksumType: 'sha256' };
    expect(await run((p) => p.provision(provisionData({ image })))).toEqual(DONE);
    expect(state()).toBe('active');
    expect(await register('provisioned')).toEqual(DONE);
    expect(await run((p) => p.adopt({ state: 'provisioned', restartOnFailure: false }))).toEqual(DONE);
    expect(await deprovision()).toEqual(DONE);
    expect(state()).toBe('available');
    expect(
      await run((p) => p.powerOff({ rebootMode: 'soft', force: false, automatedCleaningMode: 'metadata' })),
    ).toEqual(DONE);
    expect(await run((p) => p.delete())).toEqual(DONE);
    expect(ironic.nodes()).toEqual([]);
  });

  it('finds the node again when the answer to its creation was lost', async () => {
    expect(await register('registering')).toEqual(DONE);
    const first = provisionerID;
    provisionerID = '';
    expect(await register('registering')).toEqual(DONE);
    expect(provisionerID).toBe(first);
    provisionerID = '';
    expect(await run((p) => p.delete())).toEqual(DONE);
    expect(ironic.nodes()).toEqual([]);
  });

  it('can be ended in the middle of an inspection', async () => {
    await register('registering');
    const provisioner = await factory.forHost(hostAccess({ ...host, provisionerID }), () => undefined);
    expect(await provisioner.inspectHardware(inspectData())).toMatchObject({ started: true });
    expect(
      await run((p) => p.powerOff({ rebootMode: 'hard', force: false, automatedCleaningMode: 'metadata' })),
    ).toEqual(DONE);
    expect(await run((p) => p.delete())).toEqual(DONE);
    expect(ironic.nodes()).toEqual([]);
  });
});
