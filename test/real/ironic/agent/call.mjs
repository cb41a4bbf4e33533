/** Requests of the agent to Ironic and to BMCs: never thrown, so that a server that is away is one more answer. */
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';

/** Status of a request that got no answer. */
export const noAnswer = 599;

/**
 * @param {{method?: string, headers?: Record<string, string>, body?: unknown, caFile?: string}} options `caFile` is read each time,
 *   so that it may change; one that is not there is not needed.
 * @returns {Promise<{status: number, text: string}>}
 */
export function call(url, { method = 'GET', headers = {}, body, caFile } = {}) {
  return new Promise((resolve) => {
    const failed = (error) => resolve({ status: noAnswer, text: error.message });
    const isTLS = url.startsWith('https:');
    const ca = isTLS && caFile !== undefined && existsSync(caFile) ? readFileSync(caFile) : undefined;
    const options = { method, headers: { 'content-type': 'application/json', ...headers }, ca, agent: false };
    const request = (isTLS ? https : http).request(url, options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString('utf8') }));
    });
    request.on('error', failed);
    request.setTimeout(30_000, () => request.destroy(new Error('no answer within 30 s')));
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
