/** What Ironic knows of a machine's firmware. Provisioner spec, section 7.13. */
import type { FirmwareComponent, FirmwareSettings, FirmwareSettingSchema } from '../firmware.js';
import { NeedsRegistration } from '../results.js';
import type { JSONRecord } from './client/index.js';
import { wrapped, type HostSession } from './host-session.js';
import { text } from './node.js';

/** @throws NeedsRegistration, IronicError */
export async function firmwareSettings(session: HostSession, includeSchema: boolean): Promise<FirmwareSettings> {
  const uuid = registeredID(session, 'could not get BIOS settings');
  const rows = await wrapped('could not get BIOS settings for node', () =>
    session.client.biosSettings(uuid, includeSchema),
  );
  const named = rows.filter(({ name }) => text(name) !== '');
  return {
    settings: Object.fromEntries(named.map((row) => [text(row.name), settingText(row.value)])),
    schema: includeSchema ? Object.fromEntries(named.map((row) => [text(row.name), schemaOf(row)])) : {},
  };
}

/** @throws NeedsRegistration, IronicError */
export async function firmwareComponents(session: HostSession): Promise<readonly FirmwareComponent[]> {
  const uuid = registeredID(session, 'could not get firmware components');
  const rows = await wrapped('could not get firmware components for node', () =>
    session.client.firmwareComponents(uuid),
  );
  return rows.filter(isUpdatable).map(componentOf);
}

export function registeredID(session: HostSession, doing: string): string {
  const id = session.host.provisionerID;
  if (id === '') throw new NeedsRegistration(`${doing}: host not registered`);
  return id;
}

/** Ironic keeps every value as text; another kind is written as it would be in JSON. */
function settingText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function schemaOf(row: JSONRecord): FirmwareSettingSchema {
  const whole = (key: string) => (Number.isSafeInteger(row[key]) ? { [key]: row[key] } : {});
  const flag = (key: string) => (typeof row[key] === 'boolean' ? { [key]: row[key] } : {});
  const { attribute_type, allowable_values } = row;
  return {
    ...(text(attribute_type) !== '' && { attribute_type: text(attribute_type) }),
    ...(Array.isArray(allowable_values) && { allowable_values: allowable_values.map(settingText) }),
    ...whole('lower_bound'),
    ...whole('upper_bound'),
    ...whole('min_length'),
    ...whole('max_length'),
    ...flag('read_only'),
    ...flag('unique'),
  };
}

const isUpdatable = ({ component }: JSONRecord) => /^(?:bios$|bmc$|nic:)/.test(text(component));

function componentOf(row: JSONRecord): FirmwareComponent {
  const optional = Object.entries({
    currentVersion: text(row.current_version),
    lastVersionFlashed: text(row.last_version_flashed),
    updatedAt: momentOf(text(row.updated_at)),
  }).filter(([, value]) => value !== '');
  return {
    component: text(row.component),
    initialVersion: text(row.initial_version),
    ...Object.fromEntries(optional),
  };
}

/** The API server refuses a whole status for one time that it cannot read. Ironic may leave the zone out, and means UTC then. */
function momentOf(time: string): string {
  const zoned = /(?:[zZ]|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`;
  const isMoment = /^\d{4}-\d\d-\d\d[tT]\d\d:\d\d:\d\d(?:\.\d+)?[zZ+-]/.test(zoned);
  return isMoment && !Number.isNaN(Date.parse(zoned)) ? zoned : '';
}
