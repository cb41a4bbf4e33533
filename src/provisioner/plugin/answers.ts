/** Whether what a plugin has answered is an answer. */
import { hardwareDetailsSchema } from '../../apis/index.js';
import type { Provisioner } from '../provisioner.js';

type Check = (answer: unknown) => string | undefined;

const fieldsOf = (answer: unknown) =>
  typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : undefined;

const isTextIfAny = (value: unknown) => value === undefined || typeof value === 'string';

const isResult: Check = (answer) => {
  const result = fieldsOf(answer);
  if (result === undefined) return 'is no result';
  if (result.kind === 'complete') return undefined;
  if (result.kind === 'failed') return typeof result.message === 'string' ? undefined : 'failed without a message';
  if (!isTextIfAny(result.waitsFor)) return 'has a waitsFor that is no text';
  if (result.kind !== 'inProgress') return `is of the unknown kind ${JSON.stringify(result.kind)}`;
  const { requeueAfterMs: ms } = result;
  return typeof ms === 'number' && ms >= 0 && Number.isFinite(ms) ? undefined : 'has no requeueAfterMs of 0 or more';
};

/** A result with more beside it. */
const holds =
  (...kinds: readonly (readonly [field: string, kind: string])[]): Check =>
  (answer) => {
    const fields = fieldsOf(answer);
    if (fields === undefined) return 'is no object';
    const wrong = kinds.find(([field, kind]) => typeof fields[field] !== kind);
    return wrong === undefined ? isResult(fields.result) : `has no ${wrong[0]} that is a ${wrong[1]}`;
  };

const isA =
  (kind: string): Check =>
  (answer) =>
    typeof answer === kind ? undefined : `is no ${kind}`;

const hasList =
  (field: string): Check =>
  (answer) =>
    Array.isArray(fieldsOf(answer)?.[field]) ? undefined : `has no list ${field}`;

const anything: Check = () => undefined;

/** The first that finds something wrong is heard. */
const allOf =
  (...checks: readonly Check[]): Check =>
  (answer) => {
    for (const check of checks) {
      const problem = check(answer);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** They become a part of the host's status: the API server would refuse that as a whole, and not say whose words they are. */
const hasHardwareIfAny: Check = (answer) => {
  const details = fieldsOf(answer)?.details;
  if (details === undefined) return undefined;
  const issue = hardwareDetailsSchema.safeParse(details).error?.issues[0];
  return issue && `has details that are no hardware details: ${['details', ...issue.path].join('.')}: ${issue.message}`;
};

const isPower: Check = (answer) => {
  const { poweredOn } = fieldsOf(answer) ?? {};
  return poweredOn === undefined || typeof poweredOn === 'boolean' ? undefined : 'has a poweredOn that is no boolean';
};

function isComponent(each: unknown): boolean {
  return typeof fieldsOf(each)?.component === 'string' && typeof fieldsOf(each)?.initialVersion === 'string';
}

const formats: readonly unknown[] = ['iso', 'initrd'];

/** By method; `undefined` of a check: the answer will do. */
export const answerChecks: Readonly<Record<keyof Provisioner, Check>> = {
  register: (answer) =>
    isTextIfAny(fieldsOf(answer)?.createdAt)
      ? holds(['provisionerID', 'string'])(answer)
      : 'has a createdAt that is no text',
  preprovisioningImageFormats: (answer) =>
    answer === undefined || (Array.isArray(answer) && answer.every((format) => formats.includes(format)))
      ? undefined
      : 'is neither undefined nor a list of iso and initrd',
  inspectHardware: allOf(holds(['started', 'boolean']), hasHardwareIfAny),
  updateHardwareState: allOf(
    (answer) => (fieldsOf(answer) === undefined ? 'is no object' : undefined),
    (answer) => (isTextIfAny(fieldsOf(answer)?.contradiction) ? undefined : 'has a contradiction that is no text'),
    isPower,
  ),
  adopt: isResult,
  prepare: holds(['started', 'boolean']),
  service: holds(['started', 'boolean']),
  provision: isResult,
  deprovision: isResult,
  delete: isResult,
  detach: isResult,
  powerOn: isResult,
  powerOff: isResult,
  capacity: hasList('busy'),
  firmwareSettings: (answer) => (fieldsOf(fieldsOf(answer)?.settings) === undefined ? 'has no settings' : undefined),
  firmwareComponents: (answer) => {
    if (!Array.isArray(answer)) return 'is no list';
    return answer.every(isComponent) ? undefined : 'has a component without its name or its first version';
  },
  addBMCEventSubscription: holds(['subscriptionID', 'string']),
  findBMCEventSubscriptions: (answer) =>
    Array.isArray(answer) && answer.every((id) => typeof id === 'string') ? undefined : 'is no list of texts',
  removeBMCEventSubscription: isResult,
  dataImageAttached: isA('boolean'),
  attachDataImage: anything,
  detachDataImage: anything,
  hasPowerFailure: isA('boolean'),
  health: isA('string'),
  progress: (answer) => (typeof fieldsOf(answer)?.state === 'string' ? undefined : 'has no state that is a text'),
};
