import { badRequest } from './api-error.js';
import { isObject, pythonText, type Json, type JsonObject } from './json.js';

const parts = ['links', 'networks', 'services'];

/** Network data of a new node: none at all, or with all that has to be in them. @throws ApiError 400 */
export function checkNewNetworkData(data: Json | undefined): void {
  if (!isObject(data) || Object.keys(data).length === 0) return;
  const wrong = wrongPart(data);
  if (wrong !== undefined) throw badRequest(`Schema error for node: ${wrong}`);
  if (parts.every((part) => part in data)) return;
  const shown = pythonText(data);
  throw badRequest(
    `Schema error for node: ${shown} is not valid under any of the given schemas. ` +
      `Possible root cause: ${shown} is not of type 'null'`,
  );
}

/** Network data that a node is to have in place of others. The blank at the end is the real server's. @throws ApiError 400 */
export function checkNetworkData(data: Json | undefined): void {
  if (!isObject(data)) return;
  const absent = parts.find((part) => !(part in data));
  const problem = absent === undefined ? wrongPart(data) : `'${absent}' is a required property`;
  if (problem !== undefined) throw badRequest(`Invalid network_data: ${problem} `);
}

function wrongPart(data: JsonObject): string | undefined {
  const wrong = parts.find((part) => part in data && !Array.isArray(data[part]));
  if (wrong !== undefined) return `${pythonText(data[wrong])} is not of type 'array'`;
  const { links = [] } = data;
  const odd = (links as Json[]).find((link) => !isObject(link) || !('id' in link) || !('type' in link));
  return odd === undefined ? undefined : `${pythonText(odd)} is not valid under any of the given schemas`;
}
