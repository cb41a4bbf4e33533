import { describe, expect, it } from '@jest/globals';
import { ProvisionerNotReady, type HostAccess } from '../../../src/provisioner/index.js';
import { DemoProvisionerFactory } from '../../../src/provisioner/demo/index.js';
import { FixtureProvisionerFactory, type FixtureState } from '../../../src/provisioner/fixture/index.js';
import {
  D,
  DONE,
  hostAccess,
  inspectData,
  prepareData,
  provisionData,
  registerData,
  serviceData,
} from '../../support/ironic-host.js';

const subscription = { destination: 'https://d', context: '', headers: [] };
const deprovisionData = { restartOnFailure: false, automatedCleaningMode: 'metadata' } as const;
const powerOffData = { rebootMode: 'hard', force: false, automatedCleaningMode: 'metadata' } as const;

describe('the fixture back end', () => {
  async function fixture(state: Partial<FixtureState> = {}, host: Partial<HostAccess> = { provisionerID: '' }) {
    const factory = new FixtureProvisionerFactory(state);
    const events: string[] = [];
    const provisioner = await factory.forHost(hostAccess(host), (reason) => events.push(reason));
    return { factory, provisioner, events };
  }

  it('becomes ready after as many tries as it is told', async () => {
    const factory = new FixtureProvisionerFactory({ becomeReadyCounter: 2 });
    const attempt = () => factory.forHost(hostAccess(), () => undefined);
    await expect(attempt()).rejects.toBeInstanceOf(ProvisionerNotReady);
    await attempt();
    await attempt();
  });

  it('registers under one ID, or fails as it is told', async () => {
    const { provisioner, events } = await fixture();
    expect(await provisioner.register(registerData())).toEqual({ result: D(5), provisionerID: 'temporary-fake-id' });
    expect(events).toEqual(['Registered']);
    expect(await (await fixture({}, {})).provisioner.register(registerData())).toEqual({
      result: DONE,
      provisionerID: '',
    });
    const broken = await fixture({ validateError: 'no' });
    expect((await broken.provisioner.register(registerData())).result).toEqual({ kind: 'failed', message: 'no' });
  });

  it('inspects in two steps', async () => {
    const { provisioner, events } = await fixture();
    expect(await provisioner.inspectHardware(inspectData())).toMatchObject({ result: D(2), started: true });
    const { result, details } = await provisioner.inspectHardware(inspectData());
    expect(result).toEqual(DONE);
    expect(details).toMatchObject({
      ramMebibytes: 131072,
      cpu: { clockMegahertz: 3000 },
      storage: [{ sizeBytes: 93 * 2 ** 40 }, {}],
    });
    expect(events).toEqual(['InspectionComplete']);
  });

  it('provisions an image and takes it off', async () => {
    const { provisioner, events, factory } = await fixture();
    expect(await provisioner.prepare(prepareData())).toEqual({ result: DONE, started: true });
    expect(await provisioner.provision(provisionData())).toEqual(D(10));
    expect(await provisioner.provision(provisionData())).toEqual(DONE);
    expect(factory.state.image?.url).toBe('http://test-image');
    expect(await provisioner.deprovision(deprovisionData)).toEqual(D(10));
    expect(await provisioner.deprovision(deprovisionData)).toEqual(DONE);
    expect(events).toEqual(['ProvisioningComplete', 'DeprovisionStarted', 'DeprovisionComplete']);
  });

  it('runs a custom deploy', async () => {
    const { provisioner, factory } = await fixture();
    const data = provisionData({ image: undefined, customDeploy: { method: 'm' } });
    expect(await provisioner.provision(data)).toEqual(D(10));
    expect(factory.state.customDeploy).toEqual({ method: 'm' });
    expect(await provisioner.provision(data)).toEqual(DONE);
    expect(await provisioner.deprovision(deprovisionData)).toEqual(D(10));
  });

  it('adopts, powers and deletes, each in two calls', async () => {
    const { provisioner, events } = await fixture();
    const twice = async (operation: () => Promise<unknown>) => [await operation(), await operation()];
    expect(await twice(() => provisioner.adopt({ state: 'provisioned', restartOnFailure: false }))).toEqual([
      D(3),
      DONE,
    ]);
    expect(await twice(() => provisioner.powerOn(false))).toEqual([D(0), DONE]);
    expect(await provisioner.updateHardwareState('preparing')).toEqual({ poweredOn: true });
    expect(await twice(() => provisioner.powerOff(powerOffData))).toEqual([D(0), DONE]);
    expect(await twice(() => provisioner.delete())).toEqual([D(0), DONE]);
    expect(events).toEqual(['PowerOn', 'PowerOff']);
  });

  it('reboots where it must not power off, and shows what it is told to', async () => {
    const { provisioner, factory } = await fixture({
      disablePowerOff: true,
      powerFailed: true,
      health: 'OK',
      poweredOn: true,
    });
    expect(await provisioner.powerOff(powerOffData)).toEqual(D(0));
    expect(factory.state).toMatchObject({ rebootCalled: true, poweredOn: true });
    expect(await provisioner.hasPowerFailure()).toBe(true);
    expect(await provisioner.health()).toBe('OK');
    expect(await provisioner.capacity()).toEqual({ exempt: true, busy: [] });
    expect(await provisioner.preprovisioningImageFormats()).toBeUndefined();
  });
});

describe('the fixture back end, of firmware, images and events,', () => {
  const host = (state: Partial<FixtureState> = {}) =>
    new FixtureProvisionerFactory(state).forHost(hostAccess(), () => undefined);

  it('tells what it was given', async () => {
    const hostFirmwareSettings = { settings: { A: 'x' }, schema: { A: { attribute_type: 'String' } } };
    const hostFirmwareComponents = [{ component: 'bmc', initialVersion: '1' }];
    const provisioner = await host({ hostFirmwareSettings, hostFirmwareComponents });
    expect(await provisioner.firmwareSettings(true)).toEqual(hostFirmwareSettings);
    expect(await provisioner.firmwareComponents()).toEqual(hostFirmwareComponents);
  });

  it('services in one more call', async () => {
    const provisioner = await host();
    expect(await provisioner.service(serviceData())).toEqual({ result: D(0), started: true });
    expect(await provisioner.service(serviceData({ unprepared: false }))).toEqual({ result: DONE, started: false });
  });

  it('takes subscriptions and data images without keeping them', async () => {
    const provisioner = await host();
    expect(await provisioner.addBMCEventSubscription(subscription)).toEqual({ result: DONE, subscriptionID: '' });
    expect(await provisioner.removeBMCEventSubscription('1')).toEqual(DONE);
    await provisioner.attachDataImage('http://i');
    expect(await provisioner.dataImageAttached()).toBe(false);
    await provisioner.detachDataImage();
  });
});

describe('the demo back end', () => {
  const demo = (name: string, provisionerID = '') =>
    new DemoProvisionerFactory().forHost(hostAccess({ name, provisionerID }), () => undefined);

  it('shows each face of the lifecycle by the name of the host', async () => {
    expect(await (await demo('demo-registration-error')).register(registerData())).toMatchObject({
      result: { kind: 'failed' },
    });
    expect(await (await demo('demo-registering')).register(registerData())).toEqual({
      result: D(5),
      provisionerID: '',
    });
    expect(await (await demo('demo-inspecting')).inspectHardware(inspectData())).toEqual({
      result: D(5),
      started: true,
      details: undefined,
    });
    expect(await (await demo('demo-preparing-error')).prepare(prepareData())).toMatchObject({
      result: { kind: 'failed' },
      started: false,
    });
    expect(await (await demo('demo-preparing')).prepare(prepareData())).toEqual({ result: D(5), started: true });
    expect(await (await demo('demo-preparing-error')).service(serviceData())).toEqual({
      result: { kind: 'failed', message: 'servicing failed' },
      started: false,
    });
    expect(await (await demo('demo-preparing')).service(serviceData({ unprepared: false }))).toEqual({
      result: D(5),
      started: false,
    });
    expect(await (await demo('demo-validation-error')).provision(provisionData())).toMatchObject({ kind: 'failed' });
    expect(await (await demo('demo-provisioning')).provision(provisionData())).toEqual(D(5));
  });

  it('lets every other host pass', async () => {
    const host = await demo('demo-available');
    expect(await host.register(registerData())).toEqual({ result: D(0), provisionerID: 'demo-available' });
    expect(await (await demo('any', 'any')).register(registerData())).toEqual({ result: DONE, provisionerID: 'any' });
    const { result, details } = await host.inspectHardware(inspectData());
    expect(result).toEqual(DONE);
    expect(details).toMatchObject({ cpu: { model: 'Core 2 Duo' } });
    expect(details!.nics![0]).not.toHaveProperty('lldp');
    expect(await host.prepare(prepareData())).toEqual({ result: DONE, started: true });
    expect(await host.service(serviceData({ unprepared: false }))).toEqual({ result: DONE, started: true });
    expect(await host.provision(provisionData())).toEqual(DONE);
    expect(await host.firmwareSettings(true)).toEqual({ settings: {}, schema: {} });
    expect(await host.firmwareComponents()).toEqual([]);
    expect(await host.addBMCEventSubscription(subscription)).toEqual({ result: DONE, subscriptionID: '' });
    expect(await host.removeBMCEventSubscription('1')).toEqual(DONE);
    await host.attachDataImage('http://i');
    expect(await host.dataImageAttached()).toBe(false);
    await host.detachDataImage();
    expect(await host.deprovision(deprovisionData)).toEqual(DONE);
    expect(await host.updateHardwareState('preparing')).toEqual({ poweredOn: undefined });
    expect(await host.delete()).toEqual(DONE);
    expect(await host.health()).toBe('');
  });
});
