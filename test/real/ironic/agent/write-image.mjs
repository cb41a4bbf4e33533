/** The step that counts: the image is really fetched, and its digest compared. */
import { createHash } from 'node:crypto';

/** A failure with the type that the agent's answers name. */
export class AgentError extends Error {
  constructor(type, details, code = 500) {
    super(details);
    this.type = type;
    this.code = code;
  }

  toJSON() {
    return { type: this.type, code: this.code, message: this.type, details: this.message };
  }
}

const digestLengths = { 32: 'md5', 40: 'sha1', 64: 'sha256', 128: 'sha512' };

/**
 * @returns {Promise<object>} What is on the disk now.
 * @throws {AgentError} for an image or a checksum that is not to be had, and for a checksum that is wrong.
 */
export async function writeImage(info, configDrive) {
  const url = info.urls[0];
  const wanted = await digestOf(info.os_hash_value ?? info.checksum, url, info.id);
  const algorithm = info.os_hash_algo ?? digestLengths[wanted?.length] ?? 'sha256';
  const response = await download(url, info.id);
  const hash = createHash(algorithm);
  for await (const chunk of response.body) hash.update(chunk);
  const checksum = hash.digest('hex');
  if (wanted && wanted !== checksum) {
    const found = `image checksum: ${wanted}; verification checksum: ${checksum}`;
    throw new AgentError(
      'ImageChecksumError',
      `Error verifying image checksum: Image failed to verify against checksum. image ID: ${info.id}; ${found}`,
    );
  }
  return { image: url, checksum, format: info.disk_format, configDrive: configDrive ?? info.configdrive ?? null };
}

async function download(url, id) {
  const because = (reason) =>
    new AgentError('ImageDownloadError', `Error downloading image: Download of image id ${id} failed: ${reason}`);
  const response = await fetch(url).catch((error) => {
    throw because(`URL: ${url}; ${error.message}`);
  });
  if (!response.ok) throw because(`URL: ${url}; got status ${response.status}`);
  return response;
}

/** Ironic hands on a checksum that is a URL as it is. Its content: a digest, or lines of digest and file name. */
async function digestOf(checksum, imageURL, id) {
  if (!/^https?:/.test(checksum ?? '')) return checksum;
  const text = (await (await download(checksum, id)).text()).trim();
  if (/^[0-9a-f]+$/i.test(text)) return text;
  const name = imageURL.split('/').at(-1);
  for (const line of text.split('\n')) {
    const [, digest, file] = /^([0-9a-f]+)\s+\*?(.+)$/i.exec(line.trim()) ?? [];
    if (file === name) return digest;
  }
  throw new AgentError('ImageDownloadError', `Error downloading image: Checksum file does not contain name ${name}`);
}
