import type { Representation } from '../read/representation.js';
import { StatusError } from './status-error.js';

/** Protobuf is answered in JSON: every client that asks for it reads JSON too. */
const TYPES = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/*', '*/*'];

interface Range {
  type: string;
  parameters: Map<string, string>;
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').map((text) => {
    const [type, ...parameters] = text.split(';').map((part) => part.trim());
    const pairs = parameters.map((one) => one.split('=', 2).map((part) => part.trim()) as [string, string]);
    return { type: type!.toLowerCase(), parameters: new Map(pairs) };
  });
}

function formOf({ type, parameters }: Range): Representation['form'] | undefined {
  if (!TYPES.includes(type)) return undefined;
  const as = parameters.get('as');
  if (as === undefined) return 'object';
  if (parameters.get('g') !== 'meta.k8s.io' || parameters.get('v') !== 'v1') return undefined;
  if (as === 'Table') return 'table';
  return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList' ? 'metadata' : undefined;
}

/** How the client wants to see objects. Throws StatusError 406 when none of its wishes can be met. */
export function representation(accept: string | undefined, query: URLSearchParams): Representation {
  const form = rangesOf(accept || '*/*')
    .map(formOf)
    .find((one) => one !== undefined);
  if (!form) {
    const message =
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';
    throw new StatusError(406, 'NotAcceptable', message);
  }
  const include = query.get('includeObject');
  return { form, includeObject: include === 'None' || include === 'Object' ? include : 'Metadata' };
}

/** Whether the client takes the aggregated discovery document. */
export function wantsAggregated(accept: string | undefined): boolean {
  return rangesOf(accept ?? '').some(
    ({ parameters }) => parameters.get('as') === 'APIGroupDiscoveryList' && parameters.get('v') === 'v2',
  );
}
