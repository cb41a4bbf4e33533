/**
 * The steps of a pass before the chart is asked: what others left on the object for the operator to take in (host-lifecycle
 * spec §1, steps 4-9). Each makes at most one write and then ends the pass; the write brings the next one.
 */
import {
  annotations,
  asDeclared,
  type BareMetalHost,
  bareMetalHostStatusSchema,
  type BareMetalHostStatus,
  finalizers,
  hardwareDetailsSchema,
  type HardwareDetails,
  readStrictJSON,
  states,
  toStructuralSchema,
} from '../../apis/index.js';
import { isInspectionDisabled, isSame } from '../../../machines/index.js';
import { IronchartError, messageOf } from '../../errors.js';
import { KubeError } from '../../kube/index.js';
import type { HardwareDataStore } from './hardware-data.js';
import type { HostWriter } from './host-writer.js';
import { mergeDiff } from './merge-diff.js';

export interface IntakeScope {
  readonly key: string;
  readonly host: BareMetalHost;
  readonly status: BareMetalHostStatus;
  readonly writer: HostWriter;
  readonly hardwareData: HardwareDataStore;
  readonly publish: (reason: string, message: string) => void;
  /** RFC 3339. */
  readonly now: string;
  readonly signal: AbortSignal;
}

type Step = (scope: IntakeScope) => Promise<boolean>;

/** True: something was written, and the pass ends here. */
export async function takeIn(scope: IntakeScope): Promise<boolean> {
  for (const step of [
    ...[releaseHardwareData, restoreStatus, refuseEnding, retryNow, fillArchitecture, takeHardware, addFinalizer],
  ]) {
    if (await step(scope)) return true;
  }
  return false;
}

const releaseHardwareData: Step = async ({ key, host, hardwareData, signal }) => {
  if (host.metadata.deletionTimestamp !== undefined) await hardwareData.release(key, signal);
  return false;
};

/** After a move to this cluster the status comes back from the annotation, once, and only onto an empty one. */
const restoreStatus: Step = async (scope) => {
  const { host, status, writer } = scope;
  const text = host.metadata.annotations?.[annotations.status];
  if (text === undefined) return false;
  if (status.lastUpdated === undefined && text !== '') await restore(scope, text);
  else await writer.removeAnnotations([annotations.status]);
  return true;
};

/** A corrupt one is refused, and the host left alone: dropping it would begin a provisioned host's life anew. */
async function restore(scope: IntakeScope, text: string): Promise<void> {
  const { status, writer } = scope;
  try {
    await writer.patchStatus(mergeDiff(status, restoredStatus(scope, text)) ?? {});
  } catch (error) {
    if (error instanceof KubeError && error.code !== 'KUBE_INVALID') throw error;
    const message = `annotation ${annotations.status} holds no status of a host: correct or remove it; until then the host is left alone`;
    throw new IronchartError('INVALID_STATUS_ANNOTATION', `${message} (${messageOf(error).slice(0, 200)})`);
  }
}

function restoredStatus({ key, hardwareData, now }: IntakeScope, text: string): BareMetalHostStatus {
  const given = asDeclared(JSON.parse(text), toStructuralSchema(bareMetalHostStatusSchema));
  const restored = bareMetalHostStatusSchema.parse(given) as BareMetalHostStatus;
  const hardware = hardwareData.hardware(key) ?? restored.hardware;
  return { ...restored, hardware, lastUpdated: restored.lastUpdated ?? now };
}

/** A deletion that has begun cannot be taken back: so somebody has written this state, and what follows it would go too far. */
const refuseEnding: Step = ({ host, status: { provisioning } }) => {
  const isEnding = provisioning.state === states.poweringOffBeforeDelete || provisioning.state === states.deleting;
  if (!isEnding || host.metadata.deletionTimestamp !== undefined) return Promise.resolve(false);
  throw new IronchartError(
    'ENDING_WITHOUT_DELETION',
    `status.provisioning.state is "${provisioning.state}", but nobody has deleted the host: correct the state, or delete ` +
      'the host; until then it is left alone',
  );
};

/** A person wants no more waiting: errors count from zero again, and the next pass is now. */
const retryNow: Step = async ({ host, status, writer }) => {
  if (host.metadata.annotations?.[annotations.retry] === undefined) return false;
  const forgotten = { ...status, errorCount: 0, provisioningFailCount: 0 };
  const patch = mergeDiff(status, forgotten);
  if (patch !== undefined) await writer.patchStatus(patch);
  await writer.removeAnnotations([annotations.retry]);
  return true;
};

const fillArchitecture: Step = async ({ key, host, writer, hardwareData }) => {
  const architecture = hardwareData.architecture(key);
  if ((host.spec.architecture ?? '') !== '' || architecture === '') return false;
  await writer.patch({ spec: { architecture } });
  return true;
};

/** Hardware details that somebody else found, taken where inspection has found none, or is not to. */
const takeHardware: Step = async (scope) => {
  const { host, status, writer, publish, now } = scope;
  const source = givenHardware(scope);
  const isNew = source !== undefined && !isSame(source, status.hardware);
  if (isNew) {
    await writer.patchStatus(mergeDiff(status, { ...status, hardware: source, lastUpdated: now }) ?? {});
    publish('UpdateHardwareDetails', 'Hardware details were taken from what was given');
  }
  if (host.metadata.annotations?.[annotations.hardwareDetails] !== undefined) {
    await writer.removeAnnotations([annotations.hardwareDetails]);
    if (!isNew) publish('RemoveAnnotation', 'Hardware details are known already; the annotation was removed');
  }
  return isNew;
};

function givenHardware({ key, host, status, hardwareData }: IntakeScope): HardwareDetails | undefined {
  if (status.hardware !== undefined && !isInspectionDisabled(host)) return undefined;
  return hardwareData.hardware(key) ?? parseDetails(host.metadata.annotations?.[annotations.hardwareDetails]);
}

/** A field that nobody knows is a slip of somebody who would not learn of it: the annotation is removed once it is taken. */
function parseDetails(text: string | undefined): HardwareDetails | undefined {
  if (text === undefined) return undefined;
  const read = readStrictJSON(text, hardwareDetailsSchema);
  if (!('problem' in read)) return hardwareDetailsSchema.parse(read.value ?? {}) as HardwareDetails;
  throw new IronchartError(
    'INVALID_HARDWARE_ANNOTATION',
    `annotation ${annotations.hardwareDetails} holds no hardware details: ${read.problem}; correct or remove it`,
  );
}

const addFinalizer: Step = async ({ host, writer }) => {
  const isHeld = (host.metadata.finalizers ?? []).includes(finalizers.host);
  if (isHeld || host.metadata.deletionTimestamp !== undefined) return false;
  await writer.addFinalizer(finalizers.host);
  return true;
};
