/** Rules for an image, wherever one can be asked for. */
import { imageChecksum, type Image, isOCI } from '../../apis/index.js';
import { fetchProblem } from './request-url.js';
import type { Findings } from './verdict.js';

export function checkImage(image: Image | undefined, field: string, findings: Findings): void {
  if (image === undefined) return;
  const problem = fetchProblem(image.url);
  if (problem !== undefined) findings.refuse(`${field}.url`, problem);
  const checksum = imageChecksum(image);
  if (checksum.kind === 'invalid') {
    const isType = (image.checksum ?? '') !== '' && !isOCI(image);
    findings.refuse(`${field}.${isType ? 'checksumType' : 'checksum'}`, checksum.problem);
  }
  if (checksum.kind === 'checksum') warnOfChecksum(image, checksum.type, field, findings);
}

function warnOfChecksum(image: Image, type: string, field: string, findings: Findings): void {
  if (type === 'md5') {
    findings.warn(`${field}.checksumType`, 'md5 no longer protects an image; use sha256 or sha512');
  } else if ((image.checksumType ?? '') === '') {
    findings.warn(`${field}.checksumType`, 'is not given, so the algorithm is guessed from the checksum; name it');
  }
}
