/** Rules for HostFirmwareComponents. Which components there are, the host's own object tells later. */
import { hostFirmwareComponentsSchema, type HostFirmwareComponents } from '../../apis/index.js';
import { sameForAll } from './kind-rules.js';
import { fetchProblem } from './request-url.js';
import { shown } from './verdict.js';

export const hostFirmwareComponentsRules = sameForAll<HostFirmwareComponents>(
  hostFirmwareComponentsSchema,
  ({ spec }, findings) => {
    for (const [index, { component, url }] of spec.updates.entries()) {
      const problem = fetchProblem(url);
      if (problem !== undefined)
        findings.refuse(`spec.updates[${index}].url`, `of component ${shown(component)} ${problem}`);
    }
  },
);
