/**
 * Server-side apply: a manager says which fields it wants; it owns exactly those. What it no longer says goes away unless
 * somebody else owns it; what somebody else owns and has another value is a conflict, unless forced.
 */
import { apiVersionOf, type ResourceKind } from '../kinds/resource-kind.js';
import { isDict, type Dict, type KubeObject, type ManagedFieldsEntry } from '../object.js';
import { childSchema, type Schema } from '../schema/schema.js';
import { StatusError, type StatusCause } from '../wire/status-error.js';
import { commonPaths, isGranular, isMember, itemElement, subtract, union, type FieldSet } from './field-sets.js';
import { takenOver } from './last-applied.js';
import { afterApply, appliedSet, changesBetween, ownable, sameManager, setOf, type Manager } from './managed-fields.js';

function mergeLists(live: unknown[], config: unknown[], schema: Schema): unknown[] {
  const element = itemElement(schema)!;
  const at = new Map(live.map((item, i) => [element(item), i]));
  const merged = [...live];
  for (const item of config) {
    const i = at.get(element(item));
    if (i === undefined) merged.push(item);
    else merged[i] = mergeApplied(merged[i], item, schema.items);
  }
  return merged;
}

/** What is live with what is applied laid over it. */
export function mergeApplied(live: unknown, config: unknown, schema: Schema | undefined): unknown {
  if (isGranular(config, schema)) {
    const merged: Dict = isDict(live) ? { ...live } : {};
    for (const key of Object.keys(config))
      merged[key] = mergeApplied(merged[key], config[key], childSchema(schema, key));
    return merged;
  }
  if (Array.isArray(config) && Array.isArray(live) && schema && itemElement(schema)) {
    return mergeLists(live as unknown[], config as unknown[], schema);
  }
  return config;
}

type Kept = { value: unknown } | undefined;

/** What becomes of one child: undefined when it goes. */
function dropChild(child: unknown, dropped: FieldSet, kept: FieldSet | undefined, schema: Schema | undefined): Kept {
  if (!kept && isMember(dropped)) return undefined;
  const value = dropFields(child, dropped, kept, schema);
  const empty = (isDict(value) && Object.keys(value).length === 0) || (Array.isArray(value) && value.length === 0);
  return !kept && empty ? undefined : { value };
}

function dropFromDict(value: Dict, dropped: FieldSet, kept: FieldSet | undefined, schema: Schema | undefined): Dict {
  const result = { ...value };
  for (const [element, below] of Object.entries(dropped)) {
    const key = element.slice(2);
    if (!element.startsWith('f:') || !(key in result)) continue;
    const left = dropChild(result[key], below, kept?.[element], childSchema(schema, key));
    if (left) result[key] = left.value;
    else delete result[key];
  }
  return result;
}

/** `value` without the dropped fields, as far as nobody keeps them. */
function dropFields(
  value: unknown,
  dropped: FieldSet,
  kept: FieldSet | undefined,
  schema: Schema | undefined,
): unknown {
  if (isGranular(value, schema)) return dropFromDict(value, dropped, kept, schema);
  const element = itemElement(schema);
  if (!Array.isArray(value) || !element) return value;
  return (value as unknown[]).flatMap((item) => {
    const key = element(item);
    const below = dropped[key];
    if (!below) return [item];
    const left = dropChild(item, below, kept?.[key], schema?.items);
    return left ? [left.value] : [];
  });
}

interface Foreign {
  entry: ManagedFieldsEntry;
  paths: string[];
}

function describe({ entry }: Foreign): string {
  const through = entry.subresource ? ` with subresource "${entry.subresource}"` : '';
  const how = entry.operation === 'Update' ? ` using ${entry.apiVersion}` : '';
  return `"${entry.manager}"${through}${how}`;
}

function conflictError(foreign: Foreign[]): StatusError {
  const causes: StatusCause[] = foreign.flatMap((one) =>
    one.paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${describe(one)}`, field })),
  );
  const plural = causes.length === 1 ? 'conflict' : 'conflicts';
  const text =
    causes.length === 1
      ? `${causes[0]!.message}: ${causes[0]!.field}`
      : foreign
          .map((one) => `conflicts with ${describe(one)}:\n${one.paths.map((path) => `- ${path}`).join('\n')}`)
          .join('\n');
  return new StatusError(409, 'Conflict', `Apply failed with ${causes.length} ${plural}: ${text}`, { causes });
}

/** Throws StatusError 409, unless kubectl may take all of it over. */
function refuseConflicts(
  { kind, manager }: ApplyRequest,
  live: KubeObject,
  touched: FieldSet | undefined,
  foreign: Foreign[],
): void {
  const merge = (from: KubeObject, config: Dict) =>
    mergeApplied(from, { ...ownable(config), metadata: config['metadata'] }, kind.schema) as Dict;
  const free = manager.name === 'kubectl' ? takenOver(kind, live, touched, merge) : new Set<string>();
  const left = foreign
    .map(({ entry, paths }) => ({ entry, paths: paths.filter((path) => !free.has(path)) }))
    .filter(({ paths }) => paths.length > 0);
  if (left.length > 0) throw conflictError(left);
}

export interface ApplyRequest {
  kind: ResourceKind;
  manager: Manager;
  force: boolean;
  time: string;
}

export interface Applied {
  object: Dict;
  /** The managers of the object as it is after defaults and pruning. */
  managers(this: void, final: KubeObject): ManagedFieldsEntry[];
}

/** Applies `config` to what is live. Throws StatusError 409 with a cause for each field that another manager owns. */
export function applyConfig(request: ApplyRequest, live: KubeObject | undefined, config: Dict): Applied {
  const { kind, manager } = request;
  const set = appliedSet(kind, config);
  const entries = live?.metadata.managedFields ?? [];
  const mine = entries.find((entry) => sameManager(entry, manager, apiVersionOf(kind)));
  const others = entries.filter((entry) => entry !== mine);

  const merged = mergeApplied(live ?? {}, { ...ownable(config), metadata: config['metadata'] }, kind.schema) as Dict;
  const { touched } = changesBetween(kind, live, merged);
  const foreign = others
    .map((entry) => ({ entry, paths: commonPaths(setOf(entry), touched) }))
    .filter(({ paths }) => paths.length > 0);
  if (foreign.length > 0 && !request.force) refuseConflicts(request, live!, touched, foreign);

  const kept = others.reduce<FieldSet | undefined>((sum, entry) => union(sum, setOf(entry)), set);
  const dropped = mine && subtract(setOf(mine), set);
  const object = dropped ? (dropFields(merged, dropped, kept, kind.schema) as Dict) : merged;
  return {
    object,
    managers: (final) => afterApply(kind, live, set, changesBetween(kind, live, final), manager, request.time),
  };
}
