/** `ironchart validate`: manifests checked against schemas and rules, without a cluster, each fault with its field. */
import { apiGroup, customResourceDefinitions, kinds } from '../apis/index.js';
import { BUILT_IN } from '../embedded/kube/index.js';
import { applyDefaults, prune, type Schema, validate } from '../embedded/kube/schema/index.js';
import { judge, type Neighbours, nobody, sentence, UnreadableObjectError } from '../webhooks/rules/index.js';
import type { Command } from './flags.js';
import { type Manifest, readManifests } from './manifests.js';

export const validateCommand: Command = {
  name: 'validate',
  summary: 'Check manifests against the schemas and the rules of admission, without a cluster.',
  usage: 'FILE...',
  flags: {},
  operands: ['FILE...'],
  run: (args) => {
    let faults = 0;
    const manifests = args.operands.flatMap(readManifests);
    const hosts = manifests.filter(({ kind }) => kind.kind === kinds.bareMetalHost.kind).map(({ object }) => object);
    for (const manifest of manifests) {
      const { refusals, warnings } = faultsOf(manifest, { hosts });
      faults += refusals.length;
      const { origin, kind, object } = manifest;
      const title = `${origin}: ${kind.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`;
      const verdict = refusals.length === 0 ? ['valid'] : refusals;
      const lines = [...verdict, ...warnings.map((warning) => `warning: ${warning}`)];
      process.stdout.write(lines.map((line) => `${title}: ${line}\n`).join(''));
    }
    return Promise.resolve(faults === 0 ? 0 : 1);
  },
};

/** Texts of the form `field: what is wrong`. */
export interface Faults {
  /** Empty for a valid manifest, and for kinds without a schema here. */
  readonly refusals: readonly string[];
  readonly warnings: readonly string[];
}

/** What a cluster would say. An object that its schema refuses is not looked at any further, as there. */
export function faultsOf(manifest: Manifest, neighbours: Neighbours = nobody): Faults {
  const faults = schemaFaults(manifest);
  return faults.length > 0 ? { refusals: faults, warnings: [] } : ruleFaults(manifest, neighbours);
}

function ruleFaults({ kind: { group, kind }, object }: Manifest, neighbours: Neighbours): Faults {
  const schema = schemaOf(kind);
  if (group !== apiGroup || schema === undefined) return { refusals: [], warnings: [] };
  const { metadata, ...content } = object;
  const stored = { ...(applyDefaults(content, schema) as object), metadata };
  try {
    const { refusals, warnings } = judge(
      { kind, operation: 'CREATE', object: stored, oldObject: undefined },
      neighbours,
    );
    return { refusals: refusals.map(sentence), warnings: warnings.map(sentence) };
  } catch (error) {
    if (error instanceof UnreadableObjectError) return { refusals: [error.message], warnings: [] };
    throw error;
  }
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
