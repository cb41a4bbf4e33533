/** Rules for the name of a host and for where its secrets are. */
import type { BareMetalHost } from '../../apis/index.js';
import { type Findings, shown } from './verdict.js';

/** A host's name becomes part of its node's name; a node is looked up by name or UUID alike. */
export function checkName({ metadata }: BareMetalHost, findings: Findings): void {
  const name = metadata.name ?? '';
  if (/[^A-Za-z0-9._-]/.test(name)) {
    findings.refuse('metadata.name', `${shown(name)} holds more than letters, digits, dots, dashes and underscores`);
  } else if (/^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i.test(name)) {
    findings.refuse('metadata.name', `${shown(name)} is a UUID, which would be taken for that of an Ironic node`);
  }
}

export function checkSecrets({ metadata, spec }: BareMetalHost, findings: Findings): void {
  for (const field of ['userData', 'networkData', 'metaData'] as const) {
    const namespace = spec[field]?.namespace ?? '';
    if (namespace === '' || namespace === (metadata.namespace ?? '')) continue;
    findings.refuse(
      `spec.${field}.namespace`,
      `${shown(namespace)} is not that of the host ${shown(metadata.name ?? '')}; a Secret must be in the host's namespace`,
    );
  }
}
