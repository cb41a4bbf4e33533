/** Puts manifests into the API server, namespaces first; what is there already is changed to what the manifest says. */
import { InputError, messageOf } from '../../errors.js';
import { isKubeError, type KindRef, type KubeApi } from '../../kube/index.js';
import type { Manifest } from '../manifests.js';

const namespaceKind: KindRef = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' };

/** @throws InputError naming the manifest and what the server has against it. */
export async function applyManifests(api: KubeApi, manifests: readonly Manifest[]): Promise<void> {
  const namespaces = manifests.filter(({ kind }) => kind.kind === 'Namespace');
  const others = manifests.filter(({ kind }) => kind.kind !== 'Namespace');
  for (const manifest of namespaces) await apply(api, manifest);
  const given = new Set(namespaces.map(({ object }) => object.metadata.name));
  const implied = new Set(others.map(({ object }) => object.metadata.namespace ?? 'default'));
  for (const name of implied) if (!given.has(name)) await ensureNamespace(api, name);
  for (const manifest of others) await apply(api, manifest);
}

async function ensureNamespace(api: KubeApi, name: string): Promise<void> {
  if ((await api.get(namespaceKind, { namespace: '', name })) !== undefined) return;
  await api.create(namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

async function apply(api: KubeApi, { origin, kind, object }: Manifest): Promise<void> {
  const { name, namespace = '' } = object.metadata;
  try {
    await api.create(kind, object);
  } catch (error) {
    if (isKubeError(error, 'KUBE_ALREADY_EXISTS')) await api.patch(kind, { namespace, name }, withoutStatus(object));
    else if (isKubeError(error, 'KUBE_INVALID') || isKubeError(error, 'KUBE_FORBIDDEN')) {
      throw new InputError(origin, messageOf(error).replace(/^\S+ \S+ /, ''), 'correct the manifest');
    } else throw error;
  }
}

function withoutStatus({ status: _status, ...object }: Manifest['object']): object {
  return object;
}
