// Looks at manifests on standard input, as `helm template` makes them: each is an object of its own, no key is given twice,
// roles and bindings belong together, and the pod satisfies the restricted Pod Security Standard. Says what there is.
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

const [what = 'manifests'] = process.argv.slice(2);
const faults = [];
const documents = parseAllDocuments(readFileSync(0, 'utf8'), { uniqueKeys: true });
for (const { errors } of documents) faults.push(...errors.map(({ message }) => message));
const objects = documents.map((document) => document.toJS()).filter((object) => object !== null);

const nameOf = ({ kind, metadata }) => `${kind} ${metadata?.namespace ?? ''}/${metadata?.name}`;
const names = objects.map(nameOf);
for (const object of objects) {
  if (!object.apiVersion || !object.kind || !object.metadata?.name)
    faults.push(`is no object: ${JSON.stringify(object)}`);
}
for (const name of new Set(names)) {
  if (names.filter((each) => each === name).length > 1) faults.push(`${name} is there twice`);
}
for (const { kind, metadata, roleRef } of objects) {
  if (!kind.endsWith('RoleBinding')) continue;
  const wanted = `${roleRef.kind} ${roleRef.kind === 'Role' ? metadata.namespace : ''}/${roleRef.name}`;
  if (!names.includes(wanted)) faults.push(`${nameOf({ kind, metadata })} binds ${wanted}, which is not there`);
}
const served = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
const roles = objects.filter(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name.endsWith('-role'));
if (roles.length > 0) faults.push(...roleFaults());

/** Of the roles for people: two for each kind, about that kind alone. */
function roleFaults() {
  const found = [];
  for (const { spec } of served) {
    const { plural, singular } = spec.names;
    const status = spec.versions.some(({ subresources }) => subresources?.status) ? [`${plural}/status`] : [];
    for (const [role, aggregated] of Object.entries({ viewer: ['view'], editor: ['edit', 'admin'] })) {
      const own = roles.filter(({ metadata }) => metadata.name.endsWith(`-${singular}-${role}-role`));
      const rules = own.flatMap((each) => each.rules);
      const about = rules.flatMap(({ apiGroups, resources }) => resources.map((each) => `${apiGroups}/${each}`));
      const wanted = [plural, ...status].map((each) => `${spec.group}/${each}`);
      if (about.join() !== wanted.join()) found.push(`the ${role} of ${singular} is about ${about}, not ${wanted}`);
      const changes = rules.some(({ verbs }) => verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)));
      if (changes !== (role === 'editor')) found.push(`the ${role} of ${singular} has the rights of the other`);
      const labels = Object.keys(own[0]?.metadata.labels ?? {}).filter((each) => each.includes('aggregate-to-'));
      const added = labels.map((each) => each.split('aggregate-to-')[1]).join();
      if (!['', aggregated.join()].includes(added)) found.push(`the ${role} of ${singular} is added to ${added}`);
    }
  }
  if (roles.length !== 2 * served.length) found.push(`has ${roles.length} roles for ${served.length} kinds`);
  return found;
}

const deployments = objects.filter(({ kind }) => kind === 'Deployment');
if (deployments.length !== 1) faults.push(`has ${deployments.length} Deployments`);
for (const { spec } of deployments) faults.push(...podFaults(spec.template.spec));

function podFaults({ securityContext, containers, volumes = [] }) {
  const found = [];
  if (securityContext?.runAsNonRoot !== true) found.push('the pod may run as root');
  if (securityContext?.seccompProfile?.type !== 'RuntimeDefault') found.push('the pod has no seccomp profile');
  for (const { name, securityContext: own, volumeMounts = [], env = [] } of containers) {
    if (own?.allowPrivilegeEscalation !== false) found.push(`${name} may escalate its privileges`);
    if (own?.readOnlyRootFilesystem !== true) found.push(`${name} may write to its root`);
    if (JSON.stringify(own?.capabilities) !== '{"drop":["ALL"]}') found.push(`${name} keeps capabilities`);
    if (new Set(env.map((each) => each.name)).size !== env.length) found.push(`${name} has a variable twice`);
    const [mounted, there] = [volumeMounts, volumes].map((list) =>
      list
        .map((each) => each.name)
        .sort()
        .join(),
    );
    if (mounted !== there) found.push(`mounts ${mounted || 'nothing'} of the volumes ${there || 'none'}`);
  }
  return found;
}

for (const fault of faults) process.stderr.write(`${what}: ${fault}\n`);
const kinds = objects.map(({ kind }) => kind);
const counts = [...new Set(kinds)].map((kind) => `${kinds.filter((each) => each === kind).length} ${kind}`);
process.stdout.write(`${what}: ${objects.length} objects: ${counts.join(', ')}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
