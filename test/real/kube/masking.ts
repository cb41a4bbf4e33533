/** What no two Kubernetes servers have in common, put out of an answer: identities, versions, times, orders, the words of parsers. */
import type { Json } from '../../support/kube-api/client.js';

/** The body as another server would have to give it. It is changed in place. */
export function comparable(body: Json): Json {
  return ordered(settled(body));
}

/**
 * Several faults of one object are told in no particular order, and so are those who wrote in the same second. Of built-in
 * kinds only the managers count: which of their parts have an owner of their own depends on the types of the real server's
 * language.
 */
function ordered(body: Json): Json {
  if (typeof body !== 'object') return body;
  const { details = {}, items = [], rows = [] } = body;
  if (details.causes?.length > 1) {
    details.causes = sorted(details.causes, ({ field, message }) => `${field} ${message}`);
    body.message = String(body.message).replace(/\[.*\]$/s, '[…]');
  }
  for (const object of [body, ...items, ...rows.map((row: Json) => row.object)]) orderManagers(object?.metadata ?? {});
  return body;
}

function orderManagers(metadata: Json): void {
  if (metadata.managedFields === undefined) return;
  const nameOf = ({ manager, operation, subresource }: Json) => `${manager} ${operation} ${subresource}`;
  const isCustom = metadata.managedFields.every(({ apiVersion }: Json) => String(apiVersion).includes('.example.com'));
  const managers = sorted(metadata.managedFields, nameOf);
  metadata.managedFields = isCustom ? managers : managers.map((one) => ({ ...one, fieldsV1: '<fields>' }));
}

function sorted(list: Json[], keyOf: (one: Json) => string): Json[] {
  return [...list].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const masks: Readonly<Record<string, string>> = {
  uid: 'uid',
  resourceVersion: 'version',
  creationTimestamp: 'time',
  deletionTimestamp: 'time',
  lastTransitionTime: 'time',
  time: 'time',
  serverAddress: 'address',
};

/** How a body is not to be read is told in the words of the parser, of which each language has its own. */
const parserWords =
  /((?:cannot be handled as a \w+|must be of type \w+\)|error decoding patch|json parse error|continue key is not valid): )(?!strict).*$/s;

function settled(value: Json, key = ''): Json {
  if (Array.isArray(value)) return value.map((each: Json) => settled(each)) as Json;
  if (value === null || typeof value !== 'object') return masked(value, key);
  const entries = Object.entries(value as object).filter(([name]) => name !== 'storageVersionHash');
  return Object.fromEntries(entries.map(([name, each]) => [name, settled(each, name)]));
}

function masked(value: Json, key: string): Json {
  if (typeof value !== 'string') return value;
  if (masks[key] !== undefined && value !== '') return `<${masks[key]}>`;
  if (key === 'description' && !value.startsWith('Custom resource')) return '<description>';
  return value
    .replace(parserWords, '$1<words of a parser>')
    .replace(/(Invalid value: )".*"(: strict decoding error)/s, '$1<the object>$2')
    .replace(/(Invalid value: )\[\{.*\}\](: must have exactly one)/s, '$1<the versions>$2')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replace(/in record \(\d+\)/g, 'in record (<version>)')
    .replace(/^(\d+[ydhms])+$/, '<age>')
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, '<time>');
}
