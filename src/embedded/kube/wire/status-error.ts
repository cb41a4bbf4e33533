import type { Dict } from '../object.js';

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** What a `Status` names a resource by: `bare.group` in texts, group and plural in details. */
export interface ResourceName {
  group: string;
  plural: string;
}

/** A refusal that the client sees as a `Status` object (Kubernetes API conventions, "Response Status Kind"). */
export class StatusError extends Error {
  override readonly name = 'StatusError';

  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: StatusDetails,
    /** List metadata of the Status, such as a token to go on with. */
    readonly metadata: Dict = {},
  ) {
    super(message);
  }

  toStatus(): Dict {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.metadata,
      status: 'Failure',
      message: this.message,
      ...(this.reason ? { reason: this.reason } : {}),
      ...(this.details ? { details: this.details } : {}),
      code: this.code,
    };
  }
}

export function qualified(resource: ResourceName): string {
  return resource.group ? `${resource.plural}.${resource.group}` : resource.plural;
}

function detailsOf(resource: ResourceName, name: string, more: StatusDetails = {}): StatusDetails {
  return { name, ...(resource.group ? { group: resource.group } : {}), kind: resource.plural, ...more };
}

export function notFound(resource: ResourceName, name: string): StatusError {
  return new StatusError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, detailsOf(resource, name));
}

export function pathNotFound(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** What is asked of a path that no group of the server's own knows: answered in plain text, as by any web server. */
export class PageNotFound extends StatusError {
  readonly page = '404 page not found\n';

  constructor() {
    super(404, 'NotFound', 'the server could not find the requested resource', {});
  }
}

export function alreadyExists(resource: ResourceName, name: string): StatusError {
  const message = `${qualified(resource)} "${name}" already exists`;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(resource, name));
}

export function conflict(resource: ResourceName, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return new StatusError(409, 'Conflict', message, detailsOf(resource, name));
}

export const MODIFIED_SINCE =
  'the object has been modified; please apply your changes to the latest version and try again';

export function forbidden(resource: ResourceName, name: string, why: string, causes?: StatusCause[]): StatusError {
  const message = `${qualified(resource)} "${name}" is forbidden: ${why}`;
  return new StatusError(403, 'Forbidden', message, detailsOf(resource, name, causes ? { causes } : {}));
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

/** Too old a resourceVersion: the client has to list anew. */
export function expired(message: string, metadata?: Dict): StatusError {
  return new StatusError(410, 'Expired', message, undefined, metadata);
}

export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

export function unsupportedMediaType(accepted: string[]): StatusError {
  const list = accepted.join(', ');
  const message = `the body of the request was in an unknown format - accepted media types include: ${list}`;
  return new StatusError(415, 'UnsupportedMediaType', message);
}

/** A JSON patch that cannot be applied. */
export function unprocessable(): StatusError {
  return new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
}
