/** What the server serves, in the two forms that clients ask for: aggregated (apidiscovery.k8s.io/v2) and one list a version. */
import type { Dict } from '../object.js';
import { apiVersionOf, type ResourceKind } from '../kinds/resource-kind.js';

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

function subresourceVerbs(subresource: string): string[] {
  return subresource === 'status' ? ['get', 'patch', 'update'] : ['update'];
}

/** Versions in their order of serving, by group, in the order of groups. */
function byGroup(kinds: readonly ResourceKind[]): Map<string, Map<string, ResourceKind[]>> {
  const groups = new Map<string, Map<string, ResourceKind[]>>();
  for (const kind of kinds) {
    const versions = groups.get(kind.group) ?? new Map<string, ResourceKind[]>();
    groups.set(kind.group, versions.set(kind.version, [...(versions.get(kind.version) ?? []), kind]));
  }
  return groups;
}

function gvk(kind: ResourceKind): Dict {
  return { group: kind.group, version: kind.version, kind: kind.kind };
}

function aggregatedResource(kind: ResourceKind): Dict {
  const subresources = kind.subresources.map((subresource) => ({
    subresource,
    responseKind: gvk(kind),
    verbs: subresourceVerbs(subresource),
  }));
  return {
    resource: kind.plural,
    responseKind: gvk(kind),
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: VERBS,
    ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
    ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}

/** `core`: the document at /api, else the one at /apis. */
export function aggregatedDiscovery(kinds: readonly ResourceKind[], core: boolean): Dict {
  const groups = [...byGroup(kinds)].filter(([group]) => (group === '') === core);
  const items = groups.map(([name, versions]) => ({
    metadata: { name: name || null, creationTimestamp: null },
    versions: [...versions].map(([version, list]) => ({
      version,
      resources: list.map(aggregatedResource),
      freshness: 'Current',
    })),
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

export function coreVersions(address: string): Dict {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

function groupOf(name: string, versions: Map<string, unknown>): Dict {
  const list = [...versions.keys()].map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: list, preferredVersion: list[0] };
}

export function groupList(kinds: readonly ResourceKind[]): Dict {
  const groups = [...byGroup(kinds)].filter(([name]) => name !== '').map(([name, versions]) => groupOf(name, versions));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** One group's document; undefined when it is not served. */
export function groupDocument(kinds: readonly ResourceKind[], name: string): Dict | undefined {
  const versions = byGroup(kinds).get(name);
  return versions && { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(name, versions) };
}

function resourceEntries(kind: ResourceKind): Dict[] {
  const common = { namespaced: kind.namespaced, kind: kind.kind };
  const subresources = kind.subresources.map((subresource) => ({
    ...common,
    name: `${kind.plural}/${subresource}`,
    singularName: '',
    verbs: subresourceVerbs(subresource),
  }));
  const main = {
    ...common,
    name: kind.plural,
    singularName: kind.singular,
    verbs: VERBS,
    ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
    ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
  };
  return [main, ...subresources];
}

/** The resources of one version; undefined when it is not served. */
export function resourceList(kinds: readonly ResourceKind[], group: string, version: string): Dict | undefined {
  const list = byGroup(kinds).get(group)?.get(version);
  if (!list) return undefined;
  const groupVersion = apiVersionOf({ group, version });
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: list.flatMap(resourceEntries) };
}
