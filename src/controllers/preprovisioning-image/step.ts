/**
 * The next step of an agent image, and the status that it leaves. One configuration is what an image is made from; an image of
 * another one is first withdrawn, then discarded, and only then the new one is made, so that nobody boots what is going. Pure.
 */
import { isSame } from '../../../machines/index.js';
import type { Condition, PreprovisioningImageSpec, PreprovisioningImageStatus } from '../../apis/index.js';
import { clipped, conditionOf, isTrue, withFindings } from '../conditions.js';
import type { BuildAnswer, ImageFormat, ImageProvider } from './image-provider.js';

/** The Secret with the network data. `none`: no network data is asked for. */
export type NetworkDataSource =
  { readonly kind: 'none' | 'missing' } | { readonly kind: 'found'; readonly version: string };

export interface ImageConfig {
  readonly format: ImageFormat;
  readonly architecture: string;
  readonly networkData?: { readonly name: string; readonly version: string };
}

export type Refusal = 'ConfigurationError' | 'MissingNetworkData' | 'ImageBuildInvalid';

export type ImageStep =
  | { readonly kind: 'refuse'; readonly reason: Refusal; readonly message: string }
  /** What was made is no longer what is asked for. */
  | { readonly kind: 'withdraw' }
  /** It is discarded, and the new configuration noted. */
  | { readonly kind: 'reconfigure'; readonly config: ImageConfig }
  | { readonly kind: 'build'; readonly config: ImageConfig };

type Makes = Pick<ImageProvider, 'supportsArchitecture' | 'supportsFormat'>;

export function nextStep(
  spec: PreprovisioningImageSpec,
  status: PreprovisioningImageStatus,
  networkData: NetworkDataSource,
  provider: Makes,
): ImageStep {
  const { architecture = '', acceptFormats = [], networkDataName = '' } = spec;
  if (!provider.supportsArchitecture(architecture)) {
    return refuse('ConfigurationError', `no image can be made for the architecture ${architecture}`);
  }
  const format = (acceptFormats as ImageFormat[]).find((each) => provider.supportsFormat(each));
  if (format === undefined) {
    return refuse('ConfigurationError', `no image can be made in a format that the host takes: ${list(acceptFormats)}`);
  }
  if (networkData.kind === 'missing') {
    return refuse('MissingNetworkData', `the Secret ${networkDataName} of the network data does not exist: create it`);
  }
  return stepTo({ format, architecture, ...noted(networkData, networkDataName) }, status);
}

function stepTo(config: ImageConfig, status: PreprovisioningImageStatus): ImageStep {
  if (isSame(configOf(status), config)) return { kind: 'build', config };
  return isTrue(status.conditions, 'Ready') ? { kind: 'withdraw' } : { kind: 'reconfigure', config };
}

function noted(source: NetworkDataSource, name: string): Pick<ImageConfig, 'networkData'> {
  return source.kind === 'found' ? { networkData: { name, version: source.version } } : {};
}

function refuse(reason: Refusal, message: string): ImageStep {
  return { kind: 'refuse', reason, message };
}

function list(words: readonly string[]): string {
  return words.length === 0 ? 'it takes none' : words.join(', ');
}

/** What was noted; undefined: nothing yet. */
export function configOf({ format, architecture = '', networkData }: PreprovisioningImageStatus) {
  if (format === undefined || format === '') return undefined;
  const { name = '', version = '' } = networkData ?? {};
  return { format: format as ImageFormat, architecture, ...(name !== '' && { networkData: { name, version } }) };
}

export interface Moment {
  readonly generation: number | undefined;
  /** RFC 3339. */
  readonly now: string;
}

const made = 'ImageSuccess';

export function refusedStatus(
  status: PreprovisioningImageStatus,
  { reason, message }: Extract<ImageStep, { kind: 'refuse' }>,
  moment: Moment,
): PreprovisioningImageStatus {
  const conditions = found(status, moment, [
    { type: 'Ready', status: 'False', reason },
    { type: 'Error', status: 'True', reason, message: clipped(message) },
  ]);
  return { ...status, imageUrl: undefined, conditions };
}

export function withdrawnStatus(status: PreprovisioningImageStatus, moment: Moment): PreprovisioningImageStatus {
  return { ...status, conditions: found(status, moment, [{ type: 'Ready', status: 'False', reason: made }]) };
}

export function reconfiguredStatus(
  status: PreprovisioningImageStatus,
  config: ImageConfig,
  moment: Moment,
): PreprovisioningImageStatus {
  const conditions = found(status, moment, [
    { type: 'Ready', status: 'False', reason: made },
    { type: 'Error', status: 'False', reason: made },
  ]);
  const { format, architecture, networkData } = config;
  return { format, architecture, networkData, conditions };
}

export function builtStatus(
  status: PreprovisioningImageStatus,
  answer: BuildAnswer,
  moment: Moment,
): PreprovisioningImageStatus {
  if (answer.kind === 'invalid') {
    return refusedStatus(status, { kind: 'refuse', reason: 'ImageBuildInvalid', message: answer.message }, moment);
  }
  if (answer.kind === 'notReady') {
    const message = clipped(answer.message);
    return {
      ...status,
      conditions: found(status, moment, [{ type: 'Ready', status: 'False', reason: made, message }]),
    };
  }
  const { imageURL, kernelURL, extraKernelParams } = answer.image;
  const conditions = found(status, moment, [
    { type: 'Ready', status: imageURL === '' ? 'False' : 'True', reason: made },
    { type: 'Error', status: 'False', reason: made },
  ]);
  const urls = { imageUrl: imageURL || undefined, kernelUrl: kernelURL || undefined };
  return { ...status, ...urls, extraKernelParams: extraKernelParams || undefined, conditions };
}

function found(
  { conditions }: PreprovisioningImageStatus,
  { generation, now }: Moment,
  findings: Parameters<typeof withFindings>[1],
): Condition[] {
  return withFindings(conditions, findings, generation, now);
}

const leastMs = 10_000;
const mostMs = 600_000;

/** Milliseconds until a Secret that is missing is looked for again: the longer it is missing, the more. */
export function lookForSecretMs(conditions: readonly Condition[] | undefined, now: number): number {
  const error = conditionOf(conditions, 'Error');
  const since = error?.status === 'True' ? Date.parse(error.lastTransitionTime) : now;
  return Math.min(mostMs, leastMs + Math.max(0, now - since));
}
