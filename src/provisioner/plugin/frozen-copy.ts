/** What a plugin is given: a copy that it cannot change, so that it changes nothing of ours. Functions are passed as they are. */
export function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item))) as unknown as T;
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, frozenCopy(item)]);
  return Object.freeze(Object.fromEntries(entries)) as T;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
