/** Data of a Secret that must be a mapping, written as YAML or JSON. */
import { parse } from 'yaml';
import { IronchartError } from '../../errors.js';
import type { JSONRecord } from './client/index.js';

/** @param what names the data in the error; its contents never are. @throws IronchartError */
export function parseObject(what: string, source: string): JSONRecord {
  let value: unknown;
  try {
    // A warning would show the line, and the line may hold a secret.
    // `<<` is known to those who write such data, though YAML 1.2 has it no more.
    value = parse(source, { logLevel: 'error', merge: true });
  } catch {
    throw invalid(what, 'it is neither YAML nor JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(what, 'it is not a mapping');
  return value as JSONRecord;
}

function invalid(what: string, problem: string): IronchartError {
  return new IronchartError('INVALID_HOST_DATA', `invalid ${what}: ${problem}`, { retry: 'backoff' });
}
