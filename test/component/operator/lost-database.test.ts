import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { image, type HostWish, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

interface Loss {
  readonly wish: HostWish;
  /** What a person wants of the host before its node is lost. */
  readonly change?: object;
  /** Of the node, in the moment that it is lost. */
  readonly node: string;
  readonly isReached: (state?: string, poweredOn?: boolean) => boolean;
  /** What Ironic is asked for afterwards, but for power. */
  readonly asked: readonly string[];
  readonly ends: string;
}

const wish = (spec: object): HostWish => ({ spec: { image: undefined, ...spec } });

const isOnIn = (wanted: string) => (state?: string, poweredOn?: boolean) => state === wanted && poweredOn === true;
const isIn = (wanted: string) => (state?: string) => state === wanted;

/** By the state of the host. */
const losses: Readonly<Record<string, Loss>> = {
  available: {
    wish: wish({}),
    node: 'manageable',
    isReached: isOnIn('available'),
    asked: ['create', 'manage'],
    ends: 'available',
  },
  provisioned: {
    wish: wish({ image }),
    node: 'active',
    isReached: isOnIn('provisioned'),
    asked: ['create', 'manage', 'adopt'],
    ends: 'provisioned',
  },
  'provisioned from a live image': {
    ...{ wish: wish({ image: { url: 'http://images.example.com/rescue.iso', format: 'live-iso' } }), node: 'active' },
    isReached: isOnIn('provisioned'),
    ...{ asked: ['create', 'manage', 'adopt'], ends: 'provisioned' },
  },
  'externally provisioned': {
    ...{ wish: wish({ externallyProvisioned: true }), node: 'active', isReached: isOnIn('externally provisioned') },
    ...{ asked: ['create', 'manage', 'adopt'], ends: 'externally provisioned' },
  },
  deprovisioning: {
    ...{
      wish: wish({ image }),
      change: { spec: { image: null } },
      node: 'clean wait',
      isReached: isIn('deprovisioning'),
    },
    // Cleaned from its start: what was done of it is not known any more.
    ...{ asked: ['create', 'manage', 'provide'], ends: 'available' },
  },
  preparing: {
    ...{
      wish: wish({ raid: { softwareRAIDVolumes: [{ level: '1' }] } }),
      node: 'clean wait',
      isReached: isIn('preparing'),
    },
    // A node made anew has none of the settings.
    ...{ asked: ['create', 'manage', 'clean'], ends: 'available' },
  },
};
const wasDeployed = (state: string) => state.startsWith('provisioned') || state === 'deprovisioning';
const portsRefused = { api: [{ match: { method: 'POST', path: '/v1/ports*' }, status: 500 }] };

let plant: TestPlant;
afterEach(() => plant.stop());

/** Without the power, which is looked after in every state. */
const asked = (from = 0) =>
  plant
    .requests('host')
    .slice(from)
    .filter((request) => !request.startsWith('power '));

async function brought({ wish: wanted, change, node, isReached }: Loss): Promise<void> {
  plant = await TestPlant.start({ speed: 40, faults: { rules: [{ slow: 10 }] } });
  await plant.add('host', wanted);
  await plant.until('host', 'there', () => true);
  if (change !== undefined) {
    await plant.settled('host');
    await plant.change('host', change);
  }
  await eventually(`the host with a node that is ${node}`, () => {
    const { status } = plant.host('host');
    return plant.node('host')?.provision_state === node && isReached(status?.provisioning.state, status?.poweredOn);
  });
}

describe('an Ironic that has lost its database', () => {
  it.each(Object.entries(losses))('gets a host that is %s back, with its port first', async (state, loss) => {
    await brought(loss);
    plant.ironic.setFaults(portsRefused);
    plant.ironic.emptyDatabase();
    const before = plant.requests('host').length;
    await plant.annotate('host', { 'example.com/poke': '1' });
    await eventually('the node', () => plant.node('host') !== undefined);
    // Long enough for some more tries: nothing is asked of a node that has no port.
    await plant.clock.sleep(20_000);
    expect(asked(before)).toEqual(['create']);
    plant.ironic.setFaults({});
    await eventually('all that was to be asked', () => asked(before).length >= loss.asked.length);
    const host = await plant.reaches('host', loss.ends);
    expect(asked(before)).toEqual(loss.asked);
    expect(host.status?.errorType).toBeUndefined();
    expect(host.status?.provisioning.ID).toBe(plant.node('host')?.uuid);
    // What ran there runs there still, and what was known of the hardware is.
    expect(plant.count('host', 'inspect')).toBe(state === 'externally provisioned' ? 0 : 1);
    expect(plant.count('host', 'active')).toBe(wasDeployed(state) ? 1 : 0);
  });

  it('has the RAID made again though the operator dies before it has noted anything of the new node', async () => {
    const { preparing } = losses as { preparing: Loss };
    await brought(preparing);
    plant.kubeFault = ({ verb, subresource }) =>
      verb === 'patch' && subresource === 'status' ? { status: 500 } : undefined;
    const before = plant.requests('host').length;
    plant.ironic.emptyDatabase();
    await plant.annotate('host', { 'example.com/poke': '1' });
    await eventually('a node that looks like any other', () => plant.node('host')?.provision_state === 'manageable');
    await plant.operator.stop();
    plant.kubeFault = undefined;
    await plant.startOperator();
    await plant.reaches('host', 'available');
    expect(asked(before)).toEqual(preparing.asked);
  });
});
