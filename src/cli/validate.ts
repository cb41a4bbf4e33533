/** `ironchart validate`: manifests checked against schemas and rules, without a cluster, each fault with its field. */
import { apiGroup, customResourceDefinitions, kinds } from '../apis/index.js';
import { BUILT_IN } from '../embedded/kube/index.js';
import { applyDefaults, prune, type Schema, validate } from '../embedded/kube/schema/index.js';
import { InputError } from '../errors.js';
import {
  type Finding,
  judge,
  type Neighbours,
  nobody,
  sentence,
  UnreadableObjectError,
  type Verdict,
} from '../webhooks/rules/index.js';
import type { Command } from './flags.js';
import { foreseen } from './foresight.js';
import { type Entry, type Manifest, readEntries } from './manifests.js';

export const validateCommand: Command = {
  name: 'validate',
  summary: 'Check manifests against the schemas and the rules of admission, without a cluster.',
  usage: 'FILE...',
  flags: {},
  operands: ['FILE...'],
  run: (args) => {
    const entries = args.operands.flatMap(readEntries);
    const objects = entries.flatMap((entry) => (entry instanceof InputError ? [] : [entry]));
    const hosts = objects.filter(({ kind }) => kind.kind === kinds.bareMetalHost.kind).map(({ object }) => object);
    const reports = entries.map((entry) => reportOn(entry, { hosts }));
    process.stdout.write(reports.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join(''));
    return Promise.resolve(reports.every(({ isValid }) => isValid) ? 0 : 1);
  },
};

interface Report {
  readonly isValid: boolean;
  readonly lines: readonly string[];
}

/** A document that is no manifest is one fault among those of the others. */
function reportOn(entry: Entry, neighbours: Neighbours): Report {
  if (entry instanceof InputError) return { isValid: false, lines: [entry.message] };
  const { refusals, warnings } = faultsOf(entry, neighbours);
  const { origin, kind, object } = entry;
  const { namespace, name } = object.metadata;
  const title = `${origin}: ${kind.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
  const isValid = refusals.length === 0;
  const lines = [...(isValid ? ['valid'] : refusals), ...warnings.map((warning) => `warning: ${warning}`)];
  return { isValid, lines: lines.map((line) => `${title}: ${line}`) };
}

/** Texts of the form `field: what is wrong`. */
export interface Faults {
  /** Empty for a valid manifest, and for kinds without a schema here. */
  readonly refusals: readonly string[];
  readonly warnings: readonly string[];
}

/** What a cluster would say, all at once: a cluster tells what its rules have against an object only once its schema fits. */
export function faultsOf(manifest: Manifest, neighbours: Neighbours = nobody): Faults {
  const faults = schemaFaults(manifest);
  const { refusals, warnings } = ruleFaults(
    manifest,
    faults.map(({ field }) => field),
    neighbours,
  );
  // The controllers, too, are asked only about what fits its schema.
  const later = faults.length === 0 ? foreseen(manifest.kind, manifest.object) : [];
  return { refusals: [...faults, ...refusals].map(sentence), warnings: [...warnings.map(sentence), ...later] };
}

/** Fields that the schema refuses are left out, and what is said of them is not told. */
function ruleFaults(
  { kind: { group, kind }, object }: Manifest,
  faulty: readonly string[],
  neighbours: Neighbours,
): Verdict {
  const schema = schemaOf(kind);
  if (group !== apiGroup || schema === undefined) return { refusals: [], warnings: [] };
  const { metadata, ...content } = structuredClone(object);
  for (const field of faulty) removeField(content, field);
  const stored = { ...(applyDefaults(content, schema) as object), metadata };
  try {
    const { refusals, warnings } = judge(
      { kind, operation: 'CREATE', object: stored, oldObject: undefined },
      neighbours,
    );
    const isNews = ({ field }: Finding) => !faulty.some((one) => field.startsWith(one));
    return { refusals: refusals.filter(isNews), warnings: warnings.filter(isNews) };
  } catch (error) {
    if (!(error instanceof UnreadableObjectError)) throw error;
    // Otherwise the schema has told already why.
    const refusals = faulty.length === 0 ? [error.finding] : [];
    return { refusals, warnings: [] };
  }
}

/** Takes the field at the end of a path such as `spec.raid.softwareRAIDVolumes[0].level` away, if it is there. */
function removeField(object: object, path: string): void {
  const names = path.split(/[.[\]]+/).filter((name) => name !== '');
  const last = names.pop() ?? '';
  // Own properties alone: names come from a manifest, and may be those of prototypes.
  const child = (node: unknown, name: string) =>
    typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? (node as Dict)[name] : undefined;
  const parent = names.reduce<unknown>(child, object);
  if (typeof parent === 'object' && parent !== null && !Array.isArray(parent)) delete (parent as Dict)[last];
}

type Dict = Record<string, unknown>;

/** What the API server would refuse, or drop in silence. */
export function schemaFaults({ kind, object }: Manifest): Finding[] {
  const schema = schemaOf(kind.kind);
  if (schema === undefined) return [];
  const { metadata: _metadata, ...content } = object;
  const unknown: string[] = [];
  const pruned = prune(content, schema, '', unknown);
  const errors = validate(applyDefaults(pruned, schema), schema);
  return [...unknown.map((field) => ({ field, message: `is no field of a ${kind.kind}` })), ...errors];
}

function schemaOf(kind: string): Schema | undefined {
  const crd = customResourceDefinitions().find(({ spec }) => spec.names.kind === kind);
  const custom = crd?.spec.versions[0]?.schema.openAPIV3Schema as Schema | undefined;
  return custom ?? BUILT_IN.find((builtIn) => builtIn.kind === kind)?.schema;
}
