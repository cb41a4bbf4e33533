import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { accessByID } from '../../../src/provisioner/index.js';
import { DONE, testHost, type TestHostOptions } from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const node = `nodes/${nodeUUID}`;
const unregistered = { host: { provisionerID: '' } };
const byID = { host: accessByID({ namespace: 'myns', name: 'myhost', uid: 'u', provisionerID: nodeUUID }) };
const provisioner = async (options: TestHostOptions = byID) => (await testHost(mock, options)).provisioner;

describe('firmware settings', () => {
  const bios = `/v1/${node}/bios`;

  it('are read without their schema', async () => {
    mock.on('GET', bios, {
      body: {
        bios: [
          { name: 'A', value: 'x', read_only: true },
          { name: 'B', value: null },
        ],
      },
    });
    expect(await (await provisioner()).firmwareSettings(false)).toEqual({ settings: { A: 'x', B: '' }, schema: {} });
    expect(mock.sequence()).toEqual([`GET ${node}/bios`]);
  });

  it('are read with what each takes', async () => {
    const list = [
      { name: 'E', value: 'On', attribute_type: 'Enumeration', allowable_values: ['On', 'Off'], reset_required: true },
      { name: 'I', value: '3', attribute_type: 'Integer', lower_bound: 0, upper_bound: 9, read_only: false },
      {
        name: 'S',
        value: 's',
        attribute_type: 'String',
        min_length: 1,
        max_length: 16,
        unique: true,
        lower_bound: null,
      },
      { name: 'N', value: null, attribute_type: null, allowable_values: null, read_only: null },
    ];
    mock.on('GET', `${bios}?detail=true`, { body: { bios: list } });
    expect(await (await provisioner()).firmwareSettings(true)).toEqual({
      settings: { E: 'On', I: '3', S: 's', N: '' },
      schema: {
        E: { attribute_type: 'Enumeration', allowable_values: ['On', 'Off'] },
        I: { attribute_type: 'Integer', lower_bound: 0, upper_bound: 9, read_only: false },
        S: { attribute_type: 'String', min_length: 1, max_length: 16, unique: true },
        N: {},
      },
    });
  });

  it('need a registered host, and tell what went wrong', async () => {
    await expect((await provisioner(unregistered)).firmwareSettings(true)).rejects.toMatchObject({
      code: 'NEEDS_REGISTRATION',
      message: 'could not get BIOS settings: host not registered',
    });
    expect(mock.sequence()).toEqual([]);
    mock.on('GET', bios, { status: 404 });
    await expect((await provisioner()).firmwareSettings(false)).rejects.toThrow(
      /could not get BIOS settings for node.*got 404 instead/,
    );
    mock.on('GET', bios, { status: 500, body: { error_message: 'cannot validate attribute' } });
    await expect((await provisioner()).firmwareSettings(false)).rejects.toThrow('cannot validate attribute');
  });
});

describe('firmware components', () => {
  const component = (name: string, more: object = {}) => ({
    ...{ component: name, initial_version: '1.0', current_version: '1.1', last_version_flashed: null },
    ...{ created_at: '2026-01-01T00:00:00+00:00', updated_at: null, ...more },
  });

  it('are those that can be updated', async () => {
    const list = [
      component('bios', { last_version_flashed: '1.1', updated_at: '2026-02-01T00:00:00+00:00' }),
      component('bmc', { current_version: null }),
      component('nic:A'),
      component('psu'),
      component('bios2'),
    ];
    mock.on('GET', `/v1/${node}/firmware`, { body: { firmware: list } });
    expect(await (await provisioner()).firmwareComponents()).toEqual([
      {
        ...{ component: 'bios', initialVersion: '1.0', currentVersion: '1.1' },
        ...{ lastVersionFlashed: '1.1', updatedAt: '2026-02-01T00:00:00+00:00' },
      },
      { component: 'bmc', initialVersion: '1.0' },
      { component: 'nic:A', initialVersion: '1.0', currentVersion: '1.1' },
    ]);
    expect(mock.sequence()).toEqual([`GET ${node}/firmware`]);
  });

  it.each([
    ['2026-02-01T00:00:00', '2026-02-01T00:00:00Z'],
    ['2026-02-01T00:00:00.123456Z', '2026-02-01T00:00:00.123456Z'],
    ['2026-02-01T00:00:00.1.2+00:00', undefined],
    ['2026-02-31', undefined],
    ['yesterday', undefined],
  ])('were updated at %s: as a moment that the API server takes, or not at all', async (told, updatedAt) => {
    mock.on('GET', `/v1/${node}/firmware`, { body: { firmware: [component('bmc', { updated_at: told })] } });
    const [bmc] = await (await provisioner()).firmwareComponents();
    expect(bmc?.updatedAt).toBe(updatedAt);
  });

  it('need a registered host, and tell what went wrong', async () => {
    await expect((await provisioner(unregistered)).firmwareComponents()).rejects.toMatchObject({
      code: 'NEEDS_REGISTRATION',
    });
    mock.on('GET', `/v1/${node}/firmware`, { status: 404 });
    await expect((await provisioner()).firmwareComponents()).rejects.toThrow(
      /could not get firmware components for node.*got 404 instead/,
    );
  });
});

describe('event subscriptions', () => {
  const passthru = `/v1/${node}/vendor_passthru`;
  const create = `${passthru}?method=create_subscription`;
  const remove = `${passthru}?method=delete_subscription`;

  it('are made with what was asked for, and known by their Id', async () => {
    mock.on('POST', create, { status: 200, body: { Id: '7', Destination: 'https://d' } });
    const wish = { destination: 'https://d', context: 'c', headers: [{ Authorization: 'Bearer x' }] };
    expect(await (await provisioner()).addBMCEventSubscription(wish)).toEqual({ result: DONE, subscriptionID: '7' });
    expect(mock.requests.at(-1)!.body).toEqual({
      Destination: 'https://d',
      Context: 'c',
      HttpHeaders: [{ Authorization: 'Bearer x' }],
    });
    await (await provisioner()).addBMCEventSubscription({ destination: 'https://d', context: '', headers: [] });
    expect(mock.requests.at(-1)!.body).toEqual({ Destination: 'https://d' });
  });

  it('are found by what they were made with', async () => {
    const member = (id: string) => ({ '@odata.id': `/redfish/v1/EventService/Subscriptions/${id}` });
    const one = (id: string, Destination: string, Context: string) =>
      mock.on('GET', `${passthru}?id=${id}&method=get_subscription`, { body: { Id: id, Destination, Context } });
    mock.on('GET', `${passthru}?method=get_all_subscriptions`, {
      body: { Members: [1, 2, 3, '4/'].map(String).map(member) },
    });
    one('1', 'https://d', 'c').on('GET', `${passthru}?id=2&method=get_subscription`, {
      body: { Destination: 'https://d' },
    });
    one('3', 'https://e', 'c');
    one('4', 'https://d', 'c');
    const find = async (context: string) =>
      (await provisioner()).findBMCEventSubscriptions!({ destination: 'https://d', context });
    expect(await find('c')).toEqual(['1', '4']);
    expect(await find('')).toEqual(['2']);
    mock.on('GET', `${passthru}?method=get_all_subscriptions`, { status: 500 });
    await expect(find('c')).rejects.toThrow('could not look for subscriptions');
  });

  it('are removed by their Id', async () => {
    mock.on('DELETE', remove, { status: 204 });
    expect(await (await provisioner()).removeBMCEventSubscription('7')).toEqual(DONE);
    expect(mock.requests.at(-1)!.body).toEqual({ id: '7' });
  });

  it('never tell a header when they fail', async () => {
    const echo = ({ body }: { body: unknown }) => ({
      status: 400,
      body: { error_message: `bad: ${JSON.stringify(body)}` },
    });
    mock.on('POST', create, echo);
    const wish = { destination: 'https://d', context: '', headers: [{ 'X-Key': 'hush-hush' }] };
    const attempt = (await provisioner()).addBMCEventSubscription(wish);
    await expect(attempt).rejects.toThrow('got 400 instead: bad');
    await expect(attempt).rejects.not.toThrow('hush-hush');
  });

  it('that cannot be removed again are an error', async () => {
    mock.on('POST', create, { body: {} }).on('DELETE', remove, { status: 500 });
    const wish = { destination: 'https://d', context: '', headers: [] };
    await expect((await provisioner()).addBMCEventSubscription(wish)).rejects.toMatchObject({
      code: 'IRONIC_BAD_ANSWER',
    });
    await expect((await provisioner()).removeBMCEventSubscription('7')).rejects.toThrow('got 500 instead');
  });
});

describe('a data image', () => {
  const vmedia = `/v1/${node}/vmedia`;
  const drives = (...inserted: boolean[]) =>
    inserted.map((each) => ({ media_types: ['CD'], inserted: each, image: '' }));

  it.each([
    [[false, false], false],
    [[false, true], true],
    [[], false],
  ])('is attached if any drive holds one: %j', async (inserted, attached) => {
    mock.node().on('GET', vmedia, { body: drives(...inserted) });
    expect(await (await provisioner()).dataImageAttached()).toBe(attached);
  });

  it('cannot be told of while the node is reserved', async () => {
    mock.node({ reservation: 'conductor' });
    await expect((await provisioner()).dataImageAttached()).rejects.toMatchObject({
      code: 'NODE_IS_BUSY',
      message: 'node is busy',
    });
    expect(mock.sequence()).toEqual([`GET ${node}`]);
  });

  it('cannot be told of by an old Ironic, or without a node', async () => {
    mock.absent(nodeUUID);
    await expect((await provisioner()).dataImageAttached()).rejects.toMatchObject({ code: 'NEEDS_REGISTRATION' });
    const old = await MockIronic.start('1.92');
    try {
      const host = (await testHost(old, byID)).provisioner;
      await expect(host.dataImageAttached()).rejects.toThrow('1.93');
      expect(old.sequence()).toEqual([]);
    } finally {
      await old.stop();
    }
  });

  it('is attached and detached without a look at the node', async () => {
    mock.on('POST', vmedia, { status: 204 }).on('DELETE', vmedia, { status: 204 });
    const host = await provisioner();
    await host.attachDataImage('http://i/data.iso');
    expect(mock.requests.at(-1)!.body).toEqual({ device_type: 'cdrom', image_url: 'http://i/data.iso' });
    await host.detachDataImage();
    expect(mock.sequence()).toEqual([`POST ${node}/vmedia`, `DELETE ${node}/vmedia?device_types=cdrom`]);
  });

  it('is looked at anew after a change: Ironic goes on with it after its answer', async () => {
    mock.on('POST', vmedia, { status: 204 }).on('GET', vmedia, { body: drives(false) });
    const node = { uuid: nodeUUID, provision_state: 'active' };
    mock.on('GET', `/v1/nodes/${nodeUUID}`, { body: node }, { body: { ...node, reservation: 'conductor' } });
    const host = await provisioner();
    expect(await host.dataImageAttached()).toBe(false);
    await host.attachDataImage('http://i/data.iso');
    await expect(host.dataImageAttached()).rejects.toMatchObject({ code: 'NODE_IS_BUSY' });
  });

  it('that cannot be attached or detached is an error', async () => {
    mock.on('POST', vmedia, { status: 409 }).on('DELETE', vmedia, { status: 400 });
    const host = await provisioner();
    await expect(host.attachDataImage('http://i')).rejects.toThrow('could not attach the data image');
    await expect(host.detachDataImage()).rejects.toThrow('could not detach the data image');
  });
});
