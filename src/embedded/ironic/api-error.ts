import { spacedJson, type JsonObject } from './json.js';

/** An answer that is not a success; thrown by handlers, written by the server. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
    readonly body: JsonObject,
    /** Whether it comes from in front of the controllers, where no version has been agreed upon. */
    readonly early = false,
  ) {
    super(message);
  }
}

/** The usual error body: JSON within JSON, as Ironic's API answers. */
export function clientError(status: number, message: string): ApiError {
  return fault(status, 'Client', message);
}

export function serverError(message: string): ApiError {
  return fault(500, 'Server', message);
}

function fault(status: number, faultcode: string, faultstring: string): ApiError {
  const inner = spacedJson({ faultcode, faultstring, debuginfo: null });
  return new ApiError(status, faultstring, { error_message: inner });
}

/** What the layer in front of the controllers answers: unknown path, wrong method, unusable version. */
export function gatewayError(code: number, title: string, description = ''): ApiError {
  return new ApiError(code, description || title, { error_message: spacedJson({ code, title, description }) }, true);
}

export const badRequest = (message: string) => clientError(400, message);
export const conflict = (message: string) => clientError(409, message);

/** What is too new for the asked version; some refusals tell the version that it came with. */
export function notAcceptable(since?: number): ApiError {
  const told = since === undefined ? '' : ` The minimal required API version should be 1.${since}`;
  return clientError(406, `Request not acceptable.${told}`);
}

export const missing = (parameter: string) => badRequest(`Missing mandatory parameter: ${parameter}`);
export const nodeNotFound = (ident: string) => clientError(404, `Node ${ident} could not be found.`);
export const portNotFound = (ident: string) => clientError(404, `Port ${ident} could not be found.`);

export function invalidState(action: string, node: string, state: string | null): ApiError {
  return badRequest(
    `The requested action "${action}" can not be performed on node "${node}" while it is in state "${state ?? 'None'}".`,
  );
}

export function protectedNode(node: string): ApiError {
  return clientError(403, `Node ${node} is protected and cannot be undeployed, rebuilt or deleted`);
}

export function nodeLocked(node: string, host: string): ApiError {
  return conflict(`Node ${node} is locked by host ${host}, please retry after the current operation is completed.`);
}

export function unsupported(driver: string, extension: string): ApiError {
  return badRequest(`Driver ${driver} does not support ${extension} (disabled or not implemented).`);
}

/** Refuses members of a body or a query that nobody knows. */
export function refuseUnknown(given: Iterable<string>, known: readonly string[]): void {
  const unknown = [...given].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw badRequest(`Unexpected arguments: ${unknown.join(', ')}`);
}

/** In the words of a schema: members that an object may not have. */
export function unexpectedMembers(names: readonly string[]): string {
  const listed = names.map((name) => `'${name}'`).join(', ');
  return `Additional properties are not allowed (${listed} ${names.length === 1 ? 'was' : 'were'} unexpected)`;
}

/** 401 is written before the API's own layer, in another shape. */
export function unauthorized(): ApiError {
  const message = 'Authorization required';
  return new ApiError(401, message, { error: { message, code: 401 } });
}
