/** Rules for BMCEventSubscription. */
import { isDeepStrictEqual } from 'node:util';
import { bmcEventSubscriptionSchema, type BMCEventSubscription } from '../../apis/index.js';
import type { KindRules } from './kind-rules.js';
import { parseRequestURL } from './request-url.js';
import { type Findings, shown } from './verdict.js';

export const bmcEventSubscriptionRules: KindRules<BMCEventSubscription> = {
  schema: bmcEventSubscriptionSchema,
  create({ metadata, spec }, findings) {
    if ((spec.hostName ?? '') === '') findings.refuse('spec.hostName', 'is missing; name a BareMetalHost');
    const namespace = spec.httpHeadersRef?.namespace ?? '';
    if (spec.httpHeadersRef !== undefined && namespace !== (metadata.namespace ?? '')) {
      findings.refuse(
        'spec.httpHeadersRef.namespace',
        `is ${shown(namespace)}; it must be given, and be that of the subscription`,
      );
    }
    checkDestination(spec.destination ?? '', findings);
  },
  /** The BMC has the subscription as it was made. */
  update({ spec }, old, findings) {
    if (isDeepStrictEqual(spec, old.spec)) return;
    findings.refuse('spec', 'cannot be changed; delete the subscription and create another one');
  },
};

function checkDestination(destination: string, findings: Findings): void {
  const field = 'spec.destination';
  if (destination === '') return findings.refuse(field, 'is missing; give the URL that events are sent to');
  const url = parseRequestURL(destination);
  if ('problem' in url) findings.refuse(field, `is no URL: ${url.problem}`);
  else if (url.path === '') findings.refuse(field, 'has no path; put a slash at the end of a bare host');
}
