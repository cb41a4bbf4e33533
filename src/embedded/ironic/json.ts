/** Plain JSON values, the only thing that crosses this API. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Ironic writes many values into its messages the way Python prints them; clients match on these texts. */
export function pythonText(value: Json | undefined): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  const members = Object.entries(value).map(([key, member]) => `${quoted(key)}: ${pythonText(member)}`);
  return `{${members.join(', ')}}`;
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(quote, `\\${quote}`) + quote;
}

/** A value within a message: texts as they are, anything else as Python prints it. */
export function plainText(value: Json | undefined): string {
  return typeof value === 'string' ? value : pythonText(value);
}

/** Ironic writes its JSON error texts with a blank after each separator. */
export function spacedJson(value: JsonObject): string {
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${JSON.stringify(member)}`);
  return `{${members.join(', ')}}`;
}
