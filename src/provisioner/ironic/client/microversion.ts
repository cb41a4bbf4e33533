/** Which Ironic API is there, and what it can do. */
import { IronicError } from './ironic-error.js';

/** The lowest minor version that Ironchart works with. */
export const baselineMinor = 89;

/** What newer versions add. Only these versions, and the baseline, are ever asked for. */
const featureMinors = { vmediaQuery: 93, disablePowerOff: 95, health: 109, abortDeploy: 110 } as const;

export interface IronicFeatures {
  /** Attached virtual media can be read. */
  readonly vmediaQuery: boolean;
  readonly disablePowerOff: boolean;
  readonly health: boolean;
  /** A deployment that waits for its agent can be aborted. */
  readonly abortDeploy: boolean;
}

export interface IronicVersion {
  /** Sent with each request, such as `1.95`. */
  readonly microversion: string;
  readonly features: IronicFeatures;
}

/** @param maxMinor the highest minor version that the API offers. */
export function versionFor(maxMinor: number): IronicVersion {
  const minors = [baselineMinor, ...Object.values(featureMinors)].filter((minor) => minor <= maxMinor);
  const has = (feature: keyof typeof featureMinors) => maxMinor >= featureMinors[feature];
  return {
    microversion: `1.${Math.max(baselineMinor, ...minors)}`,
    features: {
      vmediaQuery: has('vmediaQuery'),
      disablePowerOff: has('disablePowerOff'),
      health: has('health'),
      abortDeploy: has('abortDeploy'),
    },
  };
}

/** From the document at the endpoint. @throws IronicError for anything that is no usable Ironic API. */
export function readVersion(document: unknown): IronicVersion {
  const version = theOnlyVersion(document);
  const status = text(version.status).toUpperCase();
  if (!['CURRENT', 'SUPPORTED', 'DEPRECATED', 'STABLE', 'EXPERIMENTAL'].includes(status)) {
    throw bad(`has unknown status ${JSON.stringify(version.status)}`);
  }
  const max = text(version.version) || text(version.max_version);
  const match = /^(\d+)\.(\d+)$/.exec(max);
  if (!match || text(version.min_version) === '') throw bad('offers no microversions');
  if (match[1] !== '1' || Number(match[2]) < baselineMinor) {
    throw bad(`offers version ${max} at most, and 1.${baselineMinor} is needed`);
  }
  return versionFor(Number(match[2]));
}

function theOnlyVersion(document: unknown): Record<string, unknown> {
  const { version, versions } = isObject(document) ? document : {};
  if (isObject(version)) return version;
  const candidates: unknown[] = Array.isArray(versions) ? versions : [];
  const [only] = candidates;
  if (candidates.length !== 1 || !isObject(only)) {
    throw bad(
      candidates.length > 1 ? 'offers several versions: give the endpoint of one, such as /v1' : 'tells no version',
    );
  }
  return only;
}

const bad = (problem: string) => new IronicError('IRONIC_BAD_ANSWER', `the Ironic API ${problem}`);
const text = (value: unknown) => (typeof value === 'string' ? value : '');

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
