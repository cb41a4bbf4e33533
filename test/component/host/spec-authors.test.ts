import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { customResourceDefinitions } from '../../../src/apis/index.js';
import { SpecAuthors, withWritersAlone } from '../../../src/controllers/host/spec-authors.js';
import { type KubeObject, ObjectStore } from '../../../src/kube/index.js';
import { aHost } from '../../support/host-builder.js';
import { APPLY, MERGE } from '../../support/kube-api/client.js';
import { type EmbeddedTarget, startEmbedded } from '../../support/kube-api/embedded-target.js';

const path = '/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts';
const image = { url: 'http://images/os.qcow2', checksum: 'abc' };

let target: EmbeddedTarget;
let hosts: ObjectStore<KubeObject>;
let authors: SpecAuthors;
let latest: KubeObject;

beforeEach(async () => {
  target = await startEmbedded({ crds: customResourceDefinitions() as never });
  hosts = new ObjectStore<KubeObject>(withWritersAlone);
  authors = new SpecAuthors(hosts);
  await apply('installer', { online: true, image });
});
afterEach(() => target.stop());

async function write(manager: string, change: object, type: string, force = ''): Promise<void> {
  target.clock.advance(60_000);
  await send(manager, change, type, force);
  hosts.put(latest, 'watch');
}

/** Not seen, but in what the next one leaves. */
async function send(manager: string, change: object, type = MERGE, force = ''): Promise<void> {
  const { status, body } = await target.client.patch(
    `${path}/host?fieldManager=${manager}${force}`,
    { apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', metadata: { name: 'host' }, ...change },
    type,
  );
  if (status > 201) throw new Error(JSON.stringify(body));
  latest = body as KubeObject;
}
const apply = (manager: string, spec: object) => write(manager, { spec }, APPLY, '&force=true');
const edit = (manager: string, spec: object) => write(manager, { spec }, MERGE);
const seconds = () => new Date(target.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');

describe('who has changed a host', () => {
  it('is known of each field by the entry that its change has made, however a client writes', async () => {
    expect(authors.of(latest)).toEqual({});
    await apply('flux', { image: { ...image, url: 'http://images/other.qcow2' } });
    const applied = seconds();
    expect(authors.of(latest)).toEqual({ image: `by flux at ${applied}` });
    await edit('kubectl-edit', { online: false, description: 'x' });
    expect(authors.of(latest)).toEqual({ image: `by flux at ${applied}`, online: `by kubectl-edit at ${seconds()}` });
  });

  it('is known where its owner takes a field out of what it applies', async () => {
    await apply('installer', { online: true });
    expect(latest.spec).not.toHaveProperty('image');
    expect(authors.of(latest)).toEqual({ image: `by installer at ${seconds()}` });
  });

  it('is not guessed where a client has only removed, for the API server keeps nothing of it', async () => {
    await edit('kubectl-edit', { image: null });
    expect(authors.of(latest)).toEqual({ image: 'by a client that the API server does not name' });
    await edit('kubectl-patch', { image });
    expect(authors.of(latest)).toEqual({ image: `by kubectl-patch at ${seconds()}` });
  });

  it('is told of each field by its owner where several clients have written in between', async () => {
    await send('kubectl-edit', { spec: { online: false } });
    const edited = seconds();
    await edit('flux', { description: 'x' });
    expect(authors.of(latest)).toEqual({ online: `by kubectl-edit at ${edited}` });
    await send('kubectl-patch', { spec: { image: { ...image, url: 'http://images/other.qcow2' } } });
    const patched = seconds();
    await edit('kubectl-edit', { online: true });
    expect(authors.of(latest)).toEqual({
      image: `by kubectl-patch at ${patched}`,
      online: `by kubectl-edit at ${seconds()}`,
    });
  });

  it('is told by the last one where they have written the same field', async () => {
    await send('kubectl-patch', { spec: { image: { url: 'http://images/first.qcow2' } } });
    await edit('kubectl-edit', { image: { url: 'http://images/second.qcow2' } });
    expect(authors.of(latest)).toEqual({ image: `by kubectl-edit at ${seconds()}` });
  });

  const unclear = 'by one of several clients, it cannot be told by which';

  it('is nobody where each of several has written a part of the field', async () => {
    await send('kubectl-patch', { spec: { image: { checksum: 'def' } } });
    await edit('kubectl-edit', { image: { url: 'http://images/second.qcow2' } });
    expect(authors.of(latest)).toEqual({ image: unclear });
  });

  it('is nobody where somebody has removed it, and somebody has written beside that', async () => {
    await send('kubectl-patch', { spec: { image: null } });
    await edit('kubectl-edit', { online: false });
    expect(authors.of(latest)).toEqual({ image: unclear, online: `by kubectl-edit at ${seconds()}` });
  });

  it('is not somebody who has written a label beside that', async () => {
    await send('kubectl-patch', { spec: { image: null } });
    await write('kubectl-label', { metadata: { name: 'host', labels: { rack: 'a' } } }, MERGE);
    expect(authors.of(latest)).toEqual({ image: 'by a client that the API server does not name' });
  });

  it('is whoever has removed it together with another change', async () => {
    await edit('kubectl-edit', { image: null, online: false });
    const by = `by kubectl-edit at ${seconds()}`;
    expect(authors.of(latest)).toEqual({ image: by, online: by });
  });

  it('is not told of the status, of other fields, or of a host that is gone', async () => {
    await edit('kubectl-label', { description: 'new' });
    expect(authors.of(latest)).toEqual({});
    await edit('kubectl-edit', { online: false });
    hosts.remove(latest);
    expect(authors.of(latest)).toEqual({});
  });

  it('is all that is kept of the managed fields', () => {
    const kept = hosts.get('default/host')?.metadata.managedFields;
    const owns = ['image.url', 'image.checksum', 'online'];
    expect(kept).toEqual([{ manager: 'installer', operation: 'Apply', time: seconds(), owns }]);
    const status = [{ manager: 'ironchart', operation: 'Update', subresource: 'status', time: 'x', fieldsV1: {} }];
    const host = { metadata: { name: 'host', managedFields: status } };
    expect(withWritersAlone(host).metadata.managedFields).toEqual([]);
    expect(withWritersAlone(aHost().object()).metadata.managedFields).toBeUndefined();
  });
});
