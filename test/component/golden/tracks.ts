/** What a client has seen of a host, track by track: how tracks interleave may differ from run to run, none of them may. */
import type { BareMetalHost } from '../../../src/apis/index.js';
import type { TestPlant } from '../../support/plant.js';

export interface Tracks {
  /** `state standing`, with the type of an error and the count of errors behind it. */
  readonly states: readonly string[];
  readonly power: readonly string[];
  /** `status/reason` by type. */
  readonly conditions: Readonly<Record<string, readonly string[]>>;
  /** Reasons; not `Waiting`, which tells of an answer that a busy machine gave too late. */
  readonly events: readonly string[];
  /** What was asked of Ironic to be done. */
  readonly requests: readonly string[];
}

export async function tracksOf(plant: TestPlant, name: string): Promise<Tracks> {
  const versions = plant.versions(name);
  const types = [...new Set(versions.flatMap(({ status }) => (status?.conditions ?? []).map(({ type }) => type)))];
  return {
    states: changes(versions.map(standingOf)),
    power: changes(versions.map(({ status }) => String(status?.poweredOn ?? 'unknown'))),
    conditions: Object.fromEntries(
      types.sort().map((type) => [type, changes(versions.map((host) => truthOf(host, type)))]),
    ),
    events: (await plant.reasons(name)).filter((reason) => reason !== 'Waiting'),
    requests: plant.requests(name),
  };
}

function standingOf({ status, metadata }: BareMetalHost): string {
  if (status === undefined) return '';
  const { provisioning, operationalStatus, errorType, errorCount } = status;
  const error = errorType === undefined ? '' : `: ${errorType} ${errorCount}`;
  const leaving = metadata.deletionTimestamp === undefined ? '' : ' (deleted)';
  return `${provisioning.state} ${operationalStatus}${error}${leaving}`.trim();
}

function truthOf({ status }: BareMetalHost, type: string): string {
  const found = status?.conditions?.find((each) => each.type === type);
  return found === undefined ? '' : `${found.status}/${found.reason}`;
}

function changes(values: readonly string[]): string[] {
  return values.filter((value, index) => value !== '' && value !== values[index - 1]);
}
