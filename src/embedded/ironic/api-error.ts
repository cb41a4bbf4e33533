import { spacedJson, type JsonObject } from './json.js';

/** An answer that is not a success; thrown by handlers, written by the server. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    message: string,
    readonly body: JsonObject,
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
  return new ApiError(code, description || title, { error_message: spacedJson({ code, title, description }) });
}

export const badRequest = (message: string) => clientError(400, message);
export const conflict = (message: string) => clientError(409, message);
export const notAcceptable = () => clientError(406, 'Request not acceptable.');
export const resourceNotFound = () => clientError(404, 'The resource could not be found.');
export const nodeNotFound = (ident: string) => clientError(404, `Node ${ident} could not be found.`);
export const portNotFound = (ident: string) => clientError(404, `Port ${ident} could not be found.`);

export function invalidState(action: string, node: string, state: string | null): ApiError {
  return badRequest(
    `The requested action "${action}" can not be performed on node "${node}" while it is in state "${state ?? 'None'}".`,
  );
}

export function nodeLocked(node: string, host: string): ApiError {
  return conflict(`Node ${node} is locked by host ${host}, please retry after the current operation is completed.`);
}

export function unsupported(driver: string, extension: string): ApiError {
  return badRequest(`Driver ${driver} does not support ${extension} (disabled or not implemented).`);
}

/** 401 is written before the API's own layer, in another shape. */
export function unauthorized(): ApiError {
  const message = 'Authorization required';
  return new ApiError(401, message, { error: { message, code: 401 } });
}
