/** Whether one wanted setting keeps the rule of its schema. Pure. */
import { shortened } from '../../../machines/index.js';
import type { FirmwareSettingSchema } from '../../provisioner/index.js';

/** A number is compared, and sent, as the text that it is written as. */
export type SettingValue = string | number;

export interface KnownSettings {
  /** As read last. */
  readonly actual: Readonly<Record<string, string>>;
  readonly rules: Readonly<Record<string, FirmwareSettingSchema>>;
}

/** Such a setting is neither shown nor set: whoever may read these objects is not to learn passwords. */
export function isSecretSetting(name: string, { attribute_type }: FirmwareSettingSchema = {}): boolean {
  return hasSecretName(name) || attribute_type === 'Password';
}

export function hasSecretName(name: string): boolean {
  return name.includes('Password');
}

/** Why the setting cannot be made, for people; undefined: it can. */
export function settingProblem(name: string, wanted: SettingValue, { actual, rules }: KnownSettings) {
  if (hasSecretName(name)) return `${name} is a password: passwords cannot be set here; remove it`;
  if (!Object.hasOwn(actual, name)) {
    return `${name} is not a setting of this host: take one that status.settings lists, or remove it`;
  }
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined || isSecretSetting(name, rule)) {
    return `${name} is not in the FirmwareSchema of this host: remove it`;
  }
  if (rule.read_only === true) return `${name} is read-only: remove it`;
  return valueProblem(name, String(wanted), rule);
}

type Check = (name: string, value: string, rule: FirmwareSettingSchema) => string | undefined;

const checks: Readonly<Record<string, Check>> = {
  Enumeration: enumerationProblem,
  Integer: integerProblem,
  String: textProblem,
  Boolean: (name, value) =>
    value === 'true' || value === 'false' ? undefined : `${name}: ${quoted(value)} is neither true nor false`,
  '': () => undefined,
};

function valueProblem(name: string, value: string, rule: FirmwareSettingSchema): string | undefined {
  const { attribute_type: type = '' } = rule;
  const check = Object.hasOwn(checks, type) ? checks[type] : undefined;
  if (check === undefined) return `${name}: settings of the type ${quoted(type)} cannot be set; remove it`;
  return check(name, value, rule);
}

function enumerationProblem(name: string, value: string, { allowable_values = [] }: FirmwareSettingSchema) {
  if (allowable_values.includes(value)) return undefined;
  return `${name}: ${quoted(value)} is not one of its values: ${allowable_values.join(', ')}`;
}

function integerProblem(name: string, value: string, { lower_bound, upper_bound }: FirmwareSettingSchema) {
  if (!/^[+-]?\d+$/.test(value)) return `${name}: ${quoted(value)} is not a whole number`;
  const number = Number(value);
  if (lower_bound !== undefined && number < lower_bound) return `${name}: ${value} is below its least, ${lower_bound}`;
  if (upper_bound !== undefined && number > upper_bound) return `${name}: ${value} is above its most, ${upper_bound}`;
  return undefined;
}

function textProblem(name: string, value: string, { min_length, max_length }: FirmwareSettingSchema) {
  const length = Buffer.byteLength(value);
  if (min_length !== undefined && length < min_length) {
    return `${name}: ${quoted(value)} has ${length} bytes, fewer than its least, ${min_length}`;
  }
  if (max_length !== undefined && length > max_length) {
    return `${name}: ${quoted(value)} has ${length} bytes, more than its most, ${max_length}`;
  }
  return undefined;
}

function quoted(value: string): string {
  return JSON.stringify(shortened(value, 80));
}
