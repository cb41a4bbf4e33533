import { dictOf, type Dict, type KubeObject } from '../object.js';
import { ageOf, ageSince } from '../read/human-age.js';
import type { Column } from './resource-kind.js';

type Cell = (object: KubeObject, now: number) => unknown;

export function column(name: string, type: string, cell: Cell, priority = 0): Column {
  return { name, type, cell, priority, ...(name === 'Name' ? { format: 'name' } : {}) };
}

export const NAME = column('Name', 'string', (object) => object.metadata.name);
export const AGE = column('Age', 'string', (object, now) => ageOf(object, now));

const sizeOf = (value: unknown) => Object.keys(dictOf(value)).length;
const text = (value: unknown) => (typeof value === 'string' ? value : '');

export const SECRET_COLUMNS = [
  NAME,
  column('Type', 'string', (object) => object['type']),
  column('Data', 'string', (object) => sizeOf(object['data'])),
  AGE,
];
export const CONFIG_MAP_COLUMNS = [
  NAME,
  column('Data', 'string', (object) => sizeOf(object['data']) + sizeOf(object['binaryData'])),
  AGE,
];
export const NAMESPACE_COLUMNS = [NAME, column('Status', 'string', (object) => dictOf(object['status'])['phase']), AGE];
export const LEASE_COLUMNS = [
  NAME,
  column('Holder', 'string', (object) => text(dictOf(object['spec'])['holderIdentity'])),
  AGE,
];
function servedVersions(crd: KubeObject): string {
  const versions = dictOf(crd['spec'])['versions'];
  const served = (Array.isArray(versions) ? (versions as Dict[]) : []).filter(({ served }) => served === true);
  return served.map(({ name, storage }) => `${text(name)}${storage === true ? '(storage)' : ''}`).join(',');
}

function isEstablished(crd: KubeObject): boolean {
  const conditions = dictOf(crd['status'])['conditions'];
  const found = (Array.isArray(conditions) ? (conditions as Dict[]) : []).find(({ type }) => type === 'Established');
  return found?.['status'] === 'True';
}

const namesOf = (crd: KubeObject) => dictOf(dictOf(crd['spec'])['names']);

export const CRD_COLUMNS = [
  NAME,
  column('Scope', 'string', (crd) => dictOf(crd['spec'])['scope']),
  column('Versions', 'string', servedVersions),
  column('Created At', 'date', (object) => object.metadata.creationTimestamp),
  column('Group', 'string', (crd) => dictOf(crd['spec'])['group'], 1),
  column('Kind', 'string', (crd) => namesOf(crd)['kind'], 1),
  column('ShortNames', 'string', (crd) => ((namesOf(crd)['shortNames'] ?? []) as string[]).join(','), 1),
  column('Established', 'boolean', isEstablished, 1),
];

function ageAt(value: unknown, now: number): string {
  return typeof value === 'string' ? ageSince(value, now) : '<unknown>';
}

function firstSeen(event: Dict, now: number): string {
  return ageAt(event['firstTimestamp'] ?? event['eventTime'], now);
}

function lastSeen(event: KubeObject, now: number): string {
  const series = dictOf(event['series']);
  const last = ageAt(
    series['lastObservedTime'] ?? event['lastTimestamp'] ?? event['firstTimestamp'] ?? event['eventTime'],
    now,
  );
  const count = typeof series['count'] === 'number' ? series['count'] : event['count'];
  return typeof count === 'number' && count > 1 ? `${last} (x${count} over ${firstSeen(event, now)})` : last;
}

function objectOf(event: KubeObject): string {
  const involved = dictOf(event['involvedObject']);
  const kind = text(involved['kind']).toLowerCase();
  return kind ? `${kind}/${text(involved['name'])}` : text(involved['name']);
}

function sourceOf(event: KubeObject): string {
  const source = dictOf(event['source']);
  const component = text(source['component']) || text(event['reportingComponent']);
  const host = text(source['host']) || text(event['reportingInstance']);
  return host ? `${component}, ${host}` : component;
}

export const EVENT_COLUMNS = [
  column('Last Seen', 'string', lastSeen),
  column('Type', 'string', (event) => event['type']),
  column('Reason', 'string', (event) => event['reason']),
  column('Object', 'string', objectOf),
  column('Subobject', 'string', (event) => text(dictOf(event['involvedObject'])['fieldPath']), 1),
  column('Source', 'string', sourceOf, 1),
  column('Message', 'string', (event) => text(event['message']).trim()),
  column('First Seen', 'string', firstSeen, 1),
  column('Count', 'string', (event) => (typeof event['count'] === 'number' ? event['count'] : 1), 1),
  column('Name', 'string', (event) => event.metadata.name, 1),
];
