import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import { type KubeObject, secretKind, type SecretObject } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { verdictOf } from '../../support/object-bench.js';
import { TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

const { bareMetalSwitch: kind } = kinds;
const targets = { configsSecret: 'configs', credentialsSecret: 'keys', credentialsPath: '/keys' };
const password = 'hunter2-of-the-switch';

describe('switches', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({ switches: targets });
  });
  afterAll(() => plant.stop());

  const place = (name: string) => ({ namespace: plant.namespace, name });
  const add = (name: string, number: number) =>
    plant.api.create(kind, {
      ...{ apiVersion: 'metal3.io/v1alpha1', kind: kind.kind, metadata: place(name) },
      spec: {
        ...{ address: `192.0.2.${number}`, macAddress: `02:00:00:00:01:0${number}`, deviceType: 'netmiko_cisco_ios' },
        credentials: { name: `${name}-login` },
      },
    });
  const says = (name: string, verdict: string) =>
    eventually(
      `${name}: ${verdict}`,
      async () => verdictOf(await plant.api.get<KubeObject>(kind, place(name)), 'Valid') === verdict,
    );
  const holds = (word: string, isThere = true) =>
    eventually(`${word}: ${isThere}`, async () => {
      const secret = await plant.api.get<SecretObject>(secretKind, place('configs'));
      const text = Buffer.from(secret?.data?.['switch-configs.conf'] ?? '', 'base64').toString('utf8');
      return text.includes(word) === isThere;
    });

  it('are told to Ironic as they and their Secrets come, change and go, without a word of a password elsewhere', async () => {
    await add('one', 1);
    await says('one', 'False CredentialError');
    await plant.putSecret('one-login', { username: 'admin', password });
    await says('one', 'False TargetSecretMissing');
    await plant.putSecret('configs', {});
    await plant.putSecret('keys', {});
    await says('one', 'True Reconciled');
    await holds(`password=${password}`);

    await plant.putSecret('one-login', { username: 'rotated', password });
    await holds('username=rotated');
    const patch = { data: { 'switch-configs.conf': Buffer.from('[spoilt]').toString('base64') } };
    await plant.api.patch(secretKind, place('configs'), patch);
    await holds('[spoilt]', false);
    await holds('username=rotated');

    await plant.putSecret('two-login', { username: 'admin' });
    await add('two', 2);
    await says('two', 'False CredentialError');
    await plant.putSecret('two-login', { username: 'second', password });
    await holds('[switch:two]');
    await plant.api.delete(kind, place('one'));
    await holds('[switch:one]', false);
    await holds('[switch:two]');

    const { items: events } = await plant.api.list({ group: '', version: 'v1', kind: 'Event', plural: 'events' }, {});
    const { items: switches } = await plant.api.list(kind, {});
    expect(JSON.stringify([events, switches, plant.log])).not.toContain(password);
    expect(JSON.stringify(events)).toContain('TargetSecretMissing');
  });

  it('that went while no operator was there are told to be gone by the next', async () => {
    await plant.operator.stop();
    const { items } = await plant.api.list(kind, {});
    for (const { metadata } of items) await plant.api.delete(kind, place(metadata.name));
    await plant.startOperator();
    await holds('[switch:', false);
  });
});
