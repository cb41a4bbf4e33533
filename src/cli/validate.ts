/** `ironchart validate`: manifests checked against the schemas, without a cluster, each fault with its field. */
import { customResourceDefinitions } from '../apis/index.js';
import { BUILT_IN } from '../embedded/kube/index.js';
import { applyDefaults, prune, type Schema, validate } from '../embedded/kube/schema/index.js';
import { messageOf } from '../errors.js';
import { accessDetails } from '../hardware/index.js';
import type { Command } from './flags.js';
import { type Manifest, readManifests } from './manifests.js';

export const validateCommand: Command = {
  name: 'validate',
  summary: 'Check manifests against the schemas, without a cluster.',
  usage: 'FILE...',
  flags: {},
  operands: ['FILE...'],
  run: (args) => {
    let faults = 0;
    for (const manifest of args.operands.flatMap(readManifests)) {
      const found = faultsOf(manifest);
      faults += found.length;
      const { origin, kind, object } = manifest;
      const title = `${origin}: ${kind.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`;
      process.stdout.write(
        found.length === 0 ? `${title}: valid\n` : found.map((fault) => `${title}: ${fault}\n`).join(''),
      );
    }
    return Promise.resolve(faults === 0 ? 0 : 1);
  },
};

/** Texts of the form `field: what is wrong`; empty for a valid manifest, and for kinds without a schema here. */
export function faultsOf(manifest: Manifest): string[] {
  return [...schemaFaults(manifest), ...addressFaults(manifest.object)];
}

/** What the API server would refuse, or drop in silence. */
export function schemaFaults({ kind, object }: Manifest): string[] {
  const schema = schemaOf(kind.kind);
  if (schema === undefined) return [];
  const { metadata: _metadata, ...content } = object;
  const unknown: string[] = [];
  const pruned = prune(content, schema, '', unknown);
  const errors = validate(applyDefaults(pruned, schema), schema).map(({ field, message }) => `${field}: ${message}`);
  return [...unknown.map((field) => `${field}: is no field of a ${kind.kind}`), ...errors];
}

function schemaOf(kind: string): Schema | undefined {
  const crd = customResourceDefinitions().find(({ spec }) => spec.names.kind === kind);
  const custom = crd?.spec.versions[0]?.schema.openAPIV3Schema as Schema | undefined;
  return custom ?? BUILT_IN.find((builtIn) => builtIn.kind === kind)?.schema;
}

function addressFaults(object: Manifest['object']): string[] {
  const { bmc } = (object.spec ?? {}) as { bmc?: { address?: unknown } };
  if (typeof bmc?.address !== 'string' || bmc.address === '') return [];
  try {
    accessDetails(bmc.address);
    return [];
  } catch (error) {
    return [`spec.bmc.address: ${messageOf(error)}`];
  }
}
