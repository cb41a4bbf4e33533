import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Json } from './client.js';

/** The project's own definitions, from its chart. */
export function chartCrds(): Record<string, Json>[] {
  const folder = new URL('../../../charts/ironchart/crds/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, Json>);
}
