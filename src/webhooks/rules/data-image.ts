/** Rules for DataImage. */
import { dataImageSchema, type DataImage } from '../../apis/index.js';
import { sameForAll } from './kind-rules.js';
import { fetchProblem } from './request-url.js';

export const dataImageRules = sameForAll<DataImage>(dataImageSchema, ({ spec }, findings) => {
  const problem = fetchProblem(spec.url);
  if (problem !== undefined) findings.refuse('spec.url', problem);
});
