/** The name of the FirmwareSchema that belongs to a set of settings: hosts whose settings are alike come to the same one. Pure. */
import { createHash } from 'node:crypto';
import type { FirmwareSettingSchema } from '../../provisioner/index.js';

type Rules = Readonly<Record<string, FirmwareSettingSchema>>;

export const schemaNamePattern = /^schema-[0-9a-f]{8}$/;

/** The same as other operators for these kinds come to, so that after a change of operators the schemas are still the same. */
export function schemaName(rules: Rules): string {
  const words = Object.entries(rules).flatMap(([name, rule]) => wordsOf(name, rule));
  const text = `[${words.sort(byBytes).join(' ')}]`;
  return `schema-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** `unique` is no part of it: it says something of a machine, not of a model. */
function wordsOf(name: string, rule: FirmwareSettingSchema): string[] {
  const { attribute_type = '', allowable_values = [], lower_bound, upper_bound, min_length, max_length } = rule;
  const known = [lower_bound, upper_bound, min_length, max_length, rule.read_only].filter((word) => word !== undefined);
  return [name, attribute_type, ...allowable_values, ...known.map(String)];
}

/** JavaScript's own order goes by UTF-16 units, which is another one beyond the basic plane. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
