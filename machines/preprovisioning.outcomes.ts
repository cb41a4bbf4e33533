/** The agent image that is built for one host: what is asked for, and whether what there is will do (host-lifecycle spec §7). */
import type {
  BareMetalHostStatus,
  Condition,
  PreprovisioningImage,
  PreprovisioningImageSpec,
} from '../src/apis/index.js';
import { isSame } from './equality.js';
import type { AgentImage, ImageOutcome, Observed } from './host.context.js';

export type ImageFormats = readonly AgentImage['format'][];

const heldBy = 'baremetalhost.metal3.io/preprovisioningImage';

const never: ReadonlySet<string> = new Set(['registering', 'deleting', 'powering off before delete']);
const inUse: ReadonlySet<string> = new Set(['provisioned', 'externally provisioned']);

/** In some states no agent is going to be booted, so that no image is needed for it (host-lifecycle spec §4, step 2). */
export function needsNoImage({ host }: Pick<Observed, 'host'>, status: BareMetalHostStatus): boolean {
  const { state } = status.provisioning;
  if (inUse.has(state)) return status.operationalStatus !== 'servicing';
  if (state === 'deprovisioning') return host.spec?.automatedCleaningMode === 'disabled';
  if (state === 'inspecting') return host.spec?.inspectionMode === 'fast';
  return never.has(state);
}

/** What the object is to ask for. */
export function wantedSpec({ host, architecture }: Observed, formats: ImageFormats): PreprovisioningImageSpec {
  const networkDataName = host.spec?.preprovisioningNetworkDataName ?? '';
  return {
    ...(networkDataName === '' ? {} : { networkDataName }),
    architecture,
    acceptFormats: [...formats],
  };
}

export interface ImageChange {
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: PreprovisioningImageSpec;
}

/** Undefined: the object asks for what is wanted. Labels of others stay; a spec is replaced whole. */
export function imageChange(image: PreprovisioningImage, observed: Observed, formats: ImageFormats) {
  const { finalizers = [], labels = {} } = image.metadata;
  const wanted = wantedSpec(observed, formats);
  const isLabelled = Object.entries(observed.host.metadata.labels ?? {}).every(([key, value]) => labels[key] === value);
  const change: ImageChange = {
    ...(finalizers.includes(heldBy) ? {} : { finalizers: [...finalizers, heldBy] }),
    ...(isLabelled ? {} : { labels: { ...observed.host.metadata.labels } }),
    ...(isSame(bare(image.spec), bare(wanted)) ? {} : { spec: wanted }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** An empty text says as much as none. */
function bare(spec: PreprovisioningImageSpec): PreprovisioningImageSpec {
  const { networkDataName = '', architecture = '', acceptFormats = [] } = spec;
  return { networkDataName, architecture, acceptFormats };
}

export function isImageLeaving({ metadata }: PreprovisioningImage): boolean {
  return Boolean(metadata.deletionTimestamp);
}

export function isImageHeld({ metadata }: PreprovisioningImage): boolean {
  return (metadata.finalizers ?? []).includes(heldBy);
}

export function hasImageUrl({ status }: PreprovisioningImage): boolean {
  return (status?.imageUrl ?? '') !== '';
}

/** Taken as it is. */
export function imageOf({ status }: PreprovisioningImage): ImageOutcome {
  const { format = '', imageUrl = '', kernelUrl = '', extraKernelParams = '' } = status ?? {};
  if (imageUrl === '' || (format !== 'iso' && format !== 'initrd')) return { kind: 'absent' };
  const known: AgentImage['format'] = format === 'iso' ? 'iso' : 'initrd';
  return { kind: 'ready', image: { format: known, imageURL: imageUrl, kernelURL: kernelUrl, extraKernelParams } };
}

/** @param networkVersion resourceVersion of the Secret with the network data; undefined where none is asked for. */
export function judgeImage(image: PreprovisioningImage, networkVersion: string | undefined): ImageOutcome {
  const error = conditionOf(image, 'Error');
  if (!isBuiltAsWanted(image) || !hasNetworkData(image, networkVersion)) return missing(image, error);
  if (error?.status === 'True') {
    return { kind: 'broken', message: `the preprovisioning image cannot be built: ${error.message}` };
  }
  const ready = conditionOf(image, 'Ready');
  const isReady = ready?.status === 'True' && ready.observedGeneration === image.metadata.generation;
  return isReady ? imageOf(image) : { kind: 'absent' };
}

/** An error of before the last change of the wish says nothing of what is wished for now. */
function missing({ metadata }: PreprovisioningImage, error: Condition | undefined): ImageOutcome {
  const isOfNow = error?.status === 'True' && error.observedGeneration === metadata.generation;
  return isOfNow ? { kind: 'absent', trouble: error.message } : { kind: 'absent' };
}

function conditionOf({ status }: PreprovisioningImage, type: string): Condition | undefined {
  return (status?.conditions ?? []).find((condition) => condition.type === type);
}

function isBuiltAsWanted({ spec, status }: PreprovisioningImage): boolean {
  if ((status?.architecture ?? '') !== (spec.architecture ?? '')) return false;
  return (spec.acceptFormats ?? []).some((format) => format === status?.format);
}

function hasNetworkData({ spec, status }: PreprovisioningImage, version: string | undefined): boolean {
  const { name = '', version: built } = status?.networkData ?? {};
  if (name !== (spec.networkDataName ?? '')) return false;
  return version === undefined || built === version;
}
