import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import type { KubeObject } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

const { bmcEventSubscription: kind } = kinds;

describe('a subscription to the events of a BMC', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start();
  });
  afterAll(() => plant.stop());

  const place = (name: string) => ({ namespace: 'default', name });
  const of = (name: string) => plant.api.get<KubeObject>(kind, place(name));

  async function subscribe(name: string, hostName: string, more: object = {}): Promise<void> {
    const spec = { hostName, destination: `https://events.example.com/${name}`, context: name, ...more };
    await plant.api.create(kind, { apiVersion: 'metal3.io/v1alpha1', kind: kind.kind, metadata: place(name), spec });
  }

  const isSubscribed = (name: string) =>
    eventually(`${name} is subscribed`, async () => {
      const { subscriptionID } = ((await of(name))?.status ?? {}) as { subscriptionID?: string };
      return subscriptionID;
    });

  async function passthru(host: string, method: string): Promise<Record<string, unknown>> {
    const { uuid } = plant.node(host)!;
    const answer = await fetch(`${plant.ironicUrl}nodes/${uuid}/vendor_passthru?method=${method}`, {
      headers: { 'X-OpenStack-Ironic-API-Version': '1.81' },
    });
    return (await answer.json()) as Record<string, unknown>;
  }

  const subscriptions = async (host: string) =>
    ((await passthru(host, 'get_all_subscriptions')).Members as { '@odata.id': string }[]).map((member) =>
      member['@odata.id'].split('/').at(-1),
    );

  it('waits for its host, is made once, also over a restart, and is removed with the object', async () => {
    await plant.putSecret('headers', { 'X-Key': 'sesame-77' });
    await subscribe('alerts', 'host', { httpHeadersRef: { name: 'headers', namespace: 'default' } });
    await eventually('the reason', async () => {
      const { error } = ((await of('alerts'))?.status ?? {}) as { error?: string };
      return error?.includes('does not exist');
    });
    await plant.add('host', { spec: { image: undefined } });
    const id = await isSubscribed('alerts');
    await plant.reaches('host', 'available');
    await plant.restartOperator();
    await plant.annotate('host', { 'example.com/poke': '1' });
    await plant.clock.sleep(60_000);
    expect(await subscriptions('host')).toEqual([id]);
    expect((await of('alerts'))?.status).toEqual({ subscriptionID: id });
    expect(plant.log.join('')).not.toContain('sesame');

    await plant.api.delete(kind, place('alerts'));
    await eventually('its end', async () => ((await of('alerts')) === undefined ? true : undefined));
    expect(await subscriptions('host')).toEqual([]);
  });

  it('is made once, though the operator ends before it has noted the answer of the BMC', async () => {
    await plant.add('cut', { spec: { image: undefined } });
    await plant.reaches('cut', 'available');
    let refused = 0;
    plant.kubeFault = ({ verb, resource, subresource }) => {
      if (verb !== 'patch' || resource !== 'bmceventsubscriptions.metal3.io' || subresource !== 'status')
        return undefined;
      refused += 1;
      return { status: 500 };
    };
    await subscribe('unheard', 'cut');
    await eventually('the answer', () => refused > 0);
    await plant.operator.stop();
    const [id] = await subscriptions('cut');
    expect(id).toBeDefined();
    plant.kubeFault = undefined;
    await plant.startOperator();
    expect(await isSubscribed('unheard')).toBe(id);
    expect(await subscriptions('cut')).toEqual([id]);
  });

  it('does not outlive its host when both are deleted', async () => {
    await plant.add('leaving', { spec: { image: undefined } });
    await plant.reaches('leaving', 'available');
    await subscribe('kept', 'leaving');
    await isSubscribed('kept');
    await plant.remove('leaving');
    await plant.gone('leaving');
    await plant.api.delete(kind, place('kept'));
    await eventually('its end', async () => ((await of('kept')) === undefined ? true : undefined));
  });

  it('that its BMC has lost does not hold its object for ever', async () => {
    await plant.add('forgetful', { spec: { image: undefined } });
    await plant.reaches('forgetful', 'available');
    await subscribe('lost', 'forgetful');
    const id = await isSubscribed('lost');
    const { uuid } = plant.node('forgetful')!;
    const url = `${plant.ironicUrl}nodes/${uuid}/vendor_passthru?method=delete_subscription`;
    const headers = { 'X-OpenStack-Ironic-API-Version': '1.81', 'Content-Type': 'application/json' };
    expect((await fetch(url, { method: 'DELETE', headers, body: JSON.stringify({ id }) })).ok).toBe(true);
    await plant.api.delete(kind, place('lost'));
    await eventually('the reason', async () => {
      const { error } = ((await of('lost'))?.status ?? {}) as { error?: string };
      return error?.includes('could not unsubscribe');
    });
    await eventually('its end', async () => ((await of('lost')) === undefined ? true : undefined));
    const [told] = await plant.events('lost', 'SubscriptionAbandoned');
    expect(told?.message).toContain(id);
  });
});
