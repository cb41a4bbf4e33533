/** The embedded API server with the rules of admission, by its wire protocol. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { customResourceDefinitions } from '../../../src/apis/index.js';
import { admission } from '../../../src/cli/admission.js';
import type { HostView } from '../../../src/webhooks/rules/index.js';
import { host, objectOf } from '../../support/admission.js';
import { startEmbedded, type EmbeddedTarget } from '../../support/kube-api/embedded-target.js';

const base = '/apis/metal3.io/v1alpha1/namespaces/default';

describe('an embedded API server with rules', () => {
  let target: EmbeddedTarget;
  let hosts: HostView[] | undefined;
  const post = (plural: string, object: object) => target.client.post(`${base}/${plural}`, object);
  const inDefault = (wish: Parameters<typeof host>[0]) => host({ namespace: 'default', ...wish });

  beforeEach(async () => {
    hosts = [];
    const crds = customResourceDefinitions() as never;
    target = await startEmbedded({ crds, admit: admission(() => hosts) });
  });
  afterEach(() => target.stop());

  it('refuses what a cluster with the webhooks refuses, in the same words', async () => {
    const { status, body } = await post(
      'baremetalhosts',
      inDefault({ spec: { firmware: {}, online: false, disablePowerOff: true } }),
    );
    expect([status, body.reason, body.code]).toEqual([403, 'Forbidden', 403]);
    expect(body.message).toMatch(
      /^admission webhook "baremetalhost.metal3.io" denied the request: \[spec\.firmware: .*, spec\.online: .*\]$/,
    );
    expect(body.details).toMatchObject({
      ...{ name: 'a', group: 'metal3.io', kind: 'baremetalhosts' },
      causes: [{ field: 'spec.firmware' }, { field: 'spec.online' }],
    });
    expect((await target.client.get(`${base}/baremetalhosts/a`)).status).toBe(404);
  });

  it('asks the schema first', async () => {
    const { status, body } = await post('baremetalhosts', inDefault({ spec: { firmware: {}, bootMode: 'BIOS' } }));
    expect([status, body.reason]).toEqual([422, 'Invalid']);
    expect(body.message).not.toContain('firmware');
  });

  it('judges an update by what was stored', async () => {
    await post('baremetalhosts', inDefault({ spec: { bootMACAddress: 'aa:bb:cc:dd:ee:ff' } }));
    const path = `${base}/baremetalhosts/a`;
    const refused = await target.client.patch(path, { spec: { bootMACAddress: 'aa:bb:cc:dd:ee:00' } });
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('spec.bootMACAddress: ')]);
    expect((await target.client.patch(path, { spec: { bootMACAddress: 'AA:BB:CC:DD:EE:FF' } })).status).toBe(200);
  });

  it('does not judge the status', async () => {
    await post('baremetalhosts', inDefault({}));
    const status = {
      operationalStatus: 'OK',
      errorMessage: '',
      poweredOn: false,
      provisioning: { ID: '', state: 'x' },
    };
    expect((await target.client.patch(`${base}/baremetalhosts/a/status`, { status })).status).toBe(200);
  });

  it('warns, and lets the write pass', async () => {
    const image = { url: 'http://a/b', checksum: 'c', checksumType: 'md5' };
    const { status, headers } = await post('baremetalhosts', inDefault({ spec: { image } }));
    expect(status).toBe(201);
    expect(headers.get('warning')).toContain('spec.image.checksumType: md5');
  });

  it('keeps an attachment that a host uses', async () => {
    const attachment = objectOf('HostNetworkAttachment', {
      namespace: 'default',
      spec: { mode: 'trunk', nativeVLAN: 1 },
    });
    expect((await post('hostnetworkattachments', attachment)).status).toBe(201);
    const path = `${base}/hostnetworkattachments/a`;
    const networkInterfaces = [{ name: 'eth0', hostNetworkAttachment: { name: 'a' } }];
    hosts = [inDefault({ name: 'h', spec: { networkInterfaces } })];
    const kept = await target.client.delete(path);
    expect([kept.status, kept.body.message]).toEqual([403, expect.stringContaining('default/h[eth0]')]);
    expect(kept.headers.get('warning')).toContain('default/h[eth0]');
    hosts = undefined;
    expect((await target.client.delete(path)).status).toBe(403);
    hosts = [];
    expect((await target.client.delete(path)).status).toBe(200);
  });

  it('warns of what a controller is going to refuse, where there is no rule', async () => {
    const policy = objectOf('HostDeployPolicy', {
      namespace: 'default',
      spec: { hostClaimNamespaces: { nameMatches: 'hc[' } },
    });
    const { status, headers } = await post('hostdeploypolicies', policy);
    expect([status, headers.get('warning')]).toEqual([201, expect.stringContaining('nameMatches: is no regular')]);
  });

  it('has no rules for other kinds', async () => {
    expect(
      (await target.client.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'c' } })).status,
    ).toBe(201);
  });
});
