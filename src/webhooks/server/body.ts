/** The body of a review: JSON, by POST, of a bounded size. */
import type { IncomingMessage } from 'node:http';

/** A request that is answered with a status and nothing more. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Two objects as large as the API server takes them, and what is around them. */
const maxBytes = 7 * 1024 * 1024;

/** @throws Refused */
export async function readBody(request: IncomingMessage): Promise<string> {
  if (request.method !== 'POST') throw new Refused(405, 'only POST is answered');
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') throw new Refused(415, 'only application/json is read');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Refused(413, 'the review is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
