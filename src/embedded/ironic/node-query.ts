import { badRequest, notAcceptable, refuseUnknown } from './api-error.js';
import { plainText, type Json } from './json.js';
import { nodeFieldSince, requireVersion } from './microversion.js';
import type { NodeRecord } from './node-record.js';
import { flag } from './node-schema.js';
import { isUuid } from './stamps.js';
import { provisionStates } from './state-table.js';

const paging = ['limit', 'marker', 'sort_key', 'sort_dir', 'fields', 'detail'];

const faults = ['power failure', 'clean failure', 'rescue abort failure', 'service failure'];

type Test = (node: NodeRecord) => boolean;

/**
 * One entry for each filter: from the text of the query to a test of a node, and the version that
 * brought it; whether a refusal tells that version.
 */
const filters: Readonly<Record<string, { since: number; tells?: true; parse(text: string): Test }>> = {
  associated: {
    since: 1,
    parse: (text) => {
      const wanted = flag('associated', text);
      return (node) => (node.fields.instance_uuid !== null) === wanted;
    },
  },
  maintenance: { since: 1, parse: (text) => flagFilter('maintenance', text) },
  retired: { since: 61, parse: (text) => flagFilter('retired', text) },
  instance_uuid: {
    since: 1,
    parse: (text) => {
      if (!isUuid(text)) throw badRequest(`Expected UUID for instance_uuid: ${text}`);
      return equals('instance_uuid', text);
    },
  },
  provision_state: {
    since: 9,
    parse: (text) => {
      if (!(provisionStates as readonly string[]).includes(text)) {
        throw badRequest(`Provision state "${text}" is not valid`);
      }
      return equals('provision_state', text);
    },
  },
  driver: { since: 16, tells: true, parse: (text) => equals('driver', text) },
  resource_class: { since: 21, tells: true, parse: (text) => equals('resource_class', text) },
  fault: {
    since: 42,
    tells: true,
    parse: (text) => {
      if (!faults.includes(text)) {
        const allowed = faults.map((fault) => `'${fault}'`).join(', ');
        throw badRequest(`Unrecognized fault "${text}" is specified, allowed faults are (${allowed})`);
      }
      return equals('fault', text);
    },
  },
  conductor_group: { since: 46, parse: (text) => equals('conductor_group', text.toLowerCase()) },
  owner: { since: 50, parse: (text) => equals('owner', text) },
  description_contains: {
    since: 51,
    parse: (text) => (node) => plainText(node.fields['description'] ?? '').includes(text),
  },
  lessee: { since: 65, parse: (text) => equals('lessee', text) },
};

function equals(field: string, value: Json): Test {
  return (node) => (node.fields[field] ?? null) === value;
}

function flagFilter(field: string, text: string): Test {
  return equals(field, flag(field, text));
}

/** The filters of a list request as one test. */
export function parseFilters(query: URLSearchParams, minor: number, conductor: string): Test {
  refuseUnknown(query.keys(), [...paging, 'conductor', ...Object.keys(filters)]);
  const tests: Test[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    const text = query.get(name);
    if (text === null) continue;
    if (minor < filter.since) throw notAcceptable(filter.tells && filter.since);
    tests.push(filter.parse(text));
  }
  const asked = query.get('conductor');
  if (asked !== null) {
    requireVersion(minor, 49);
    tests.push(() => asked === conductor);
  }
  return (node) => tests.every((test) => test(node));
}

const unsortable = new Set([
  ...['driver_info', 'driver_internal_info', 'properties', 'instance_info', 'extra', 'clean_step', 'deploy_step'],
  ...['service_step', 'raid_config', 'target_raid_config', 'traits', 'network_data', 'allocation_uuid'],
]);

/** The value to sort by, or 400 for what cannot be sorted by. */
export function checkSortKey(key: string, sample: readonly string[], minor: number): void {
  if (key === 'id') return;
  if (unsortable.has(key)) throw badRequest(`The sort_key value ${key} is an invalid field for sorting`);
  if (!sample.includes(key)) {
    throw badRequest(`The sort_key value "${key}" is an invalid field for sorting`);
  }
  requireVersion(minor, nodeFieldSince(key));
}
