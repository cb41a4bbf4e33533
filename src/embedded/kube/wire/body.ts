import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { parse as parseYaml } from 'yaml';
import { messageOf } from '../../../errors.js';
import { isDict } from '../object.js';
import { parseProtobuf } from './protobuf.js';
import { badRequest, StatusError, unsupportedMediaType } from './status-error.js';

export const JSON_TYPE = 'application/json';
export const YAML_TYPE = 'application/yaml';
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

function tooLarge(limit: number): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
}

/** Reads a body to its end, unpacked. Throws StatusError 413 beyond `limit` bytes, 400 for bad gzip. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) throw tooLarge(limit);
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? unpack(body, limit) : body;
}

function unpack(body: Buffer, limit: number): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw badRequest(`the body is not valid gzip: ${messageOf(error)}`);
  }
}

/** The media type of a body without its parameters; JSON when nothing is said. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';')[0]!.trim().toLowerCase() || JSON_TYPE;
}

/** A key of this name would reach into the prototype of every object that is copied. */
function textOf(body: Buffer): string {
  const text = body.toString('utf8');
  if (text.includes('__proto__')) throw badRequest('a field must not be called __proto__');
  return text;
}

export function parseJson(body: Buffer): unknown {
  const text = textOf(body);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${messageOf(error)}`);
  }
}

export function parseYamlText(body: Buffer): unknown {
  const text = textOf(body);
  try {
    // Version 1.1, in which y, yes and on are true: what clients and servers of Kubernetes read.
    return parseYaml(text, { maxAliasCount: 100, version: '1.1' });
  } catch (error) {
    throw badRequest(`error converting YAML to JSON: ${messageOf(error)}`);
  }
}

/** Words a body that cannot be read as the server does that expects an object of this kind. */
export function unrecognized<T>(kind: string, body: Buffer, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${error.message} (${excerpt(body)})`,
    );
  }
}

function excerpt(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  return body.length > 30 ? `${body.subarray(0, 30).toString('utf8')} ...` : body.toString('utf8');
}

/** Parses a patch of JSON. Throws StatusError 400. */
export function parsePatch(body: Buffer, isList: boolean): unknown {
  const text = textOf(body);
  try {
    const patch: unknown = JSON.parse(text);
    if (isList || isDict(patch)) return patch;
  } catch (error) {
    throw badRequest(isList ? `error decoding patch: ${messageOf(error)}` : 'invalid JSON patch');
  }
  throw badRequest('error decoding patch: it is no object');
}

/** Parses an object by its media type. Throws StatusError 400 or 415. */
export function parseObject(body: Buffer, type: string): unknown {
  if (type === JSON_TYPE) return parseJson(body);
  if (type === YAML_TYPE) return parseYamlText(body);
  if (type === PROTOBUF_TYPE) return parseProtobuf(body);
  throw unsupportedMediaType([JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE]);
}
