/** What stands beside a host: firmware, a data image, an agent image, each with the answers that make a difference to it. */
import type { DataImageObserved, FirmwareObjects } from '../../machines/index.js';
import {
  dataImageSchema,
  type DataImage,
  hostFirmwareComponentsSchema,
  type HostFirmwareComponents,
  hostFirmwareSettingsSchema,
  type HostFirmwareSettings,
  hostUpdatePolicySchema,
  type HostUpdatePolicy,
  preprovisioningImageSchema,
  type PreprovisioningImage,
} from '../../src/apis/index.js';
import { answerOf, type AnswerKind } from '../support/actor-answers.js';
import type { StepFacts } from '../support/chart-step.js';
import { componentsObject, settingsObject, updateOf } from '../support/firmware-objects.js';

const metadata = { name: 'host', namespace: 'default', uid: 'companion', generation: 1 };
const read = <T>(schema: { parse(object: unknown): unknown }, object: object): T =>
  schema.parse({ metadata, ...object }) as T;

/** 1: the generation of all objects here. */
const at = { generation: 1 };
const bmc = [updateOf('bmc', 1)];
const begun = [updateOf('bmc', 0)];

export const policy = read<HostUpdatePolicy>(hostUpdatePolicySchema, {
  spec: { firmwareSettings: 'onReboot', firmwareUpdates: 'onReboot' },
});
const settings = read<HostFirmwareSettings>(hostFirmwareSettingsSchema, settingsObject(at));
const components = read<HostFirmwareComponents>(hostFirmwareComponentsSchema, componentsObject(bmc, begun, at));
const unjudged = settingsObject({ generation: 7 });
const unjudgedUpdates = componentsObject(bmc, begun, { generation: 7 });

/** From the walks too: what may become of a host's firmware objects. */
export const firmwares: Readonly<Record<string, FirmwareObjects>> = {
  'nothing to change': { isIncomplete: false },
  'objects that are missing': { isIncomplete: true },
  'changed settings': { settings, isIncomplete: false },
  'changed components': { components, isIncomplete: false },
  'everything changed, also while in use': { settings, components, policy, isIncomplete: false },
  'settings without a verdict': {
    settings: read(hostFirmwareSettingsSchema, unjudged),
    policy,
    isIncomplete: false,
  },
  'components without a verdict': {
    components: read(hostFirmwareComponentsSchema, unjudgedUpdates),
    policy,
    isIncomplete: false,
  },
};

function drive(spec: { url: string }, status: object, change: object = {}): DataImageObserved {
  const object = { metadata: { ...metadata, ...change }, spec, status };
  return { object: dataImageSchema.parse(object) as DataImage, retryMs: 30_000 };
}

const url = 'http://images.example.com/data.iso';
const inDrive = { attachedImage: { url } };
const leaving = { deletionTimestamp: '2026-01-01T00:00:00Z' };

export const dataImages: Readonly<Record<string, DataImageObserved>> = {
  'to be attached': drive({ url }, {}),
  'that is attached': drive({ url }, inDrive),
  'that is attached, after failures': drive({ url }, { ...inDrive, error: { count: 2, message: 'x' } }),
  'to be replaced': drive({ url: `${url}2` }, inDrive),
  'to be taken out': drive({ url }, inDrive, leaving),
  'that is out already': drive({ url }, {}, leaving),
};

const held = { finalizers: ['baremetalhost.metal3.io/preprovisioningImage'] };
const asked = { acceptFormats: ['iso'], architecture: 'x86_64' };
const conditions = (type: string) => [{ type, status: 'True', reason: 'R', message: 'm', observedGeneration: 1 }];
const built = { architecture: 'x86_64', format: 'iso', imageUrl: 'http://images.example.com/agent.iso' };

function agentImage(change: object, status: object = {}, spec: object = asked): PreprovisioningImage {
  return preprovisioningImageSchema.parse({
    metadata: { ...metadata, ...change },
    spec,
    status,
  }) as PreprovisioningImage;
}

const agentImages: Readonly<Record<string, PreprovisioningImage | undefined>> = {
  'is missing': undefined,
  'is not built yet': agentImage(held),
  'is not held': agentImage({}),
  'is built': agentImage(held, { ...built, conditions: conditions('Ready') }),
  'is built with network data': agentImage(
    held,
    { ...built, networkData: { name: 'network', version: '1' }, conditions: conditions('Ready') },
    { ...asked, networkDataName: 'network' },
  ),
  'cannot be built': agentImage(held, { ...built, conditions: conditions('Error') }),
  'is leaving': agentImage({ ...held, ...leaving }, built),
  'is leaving unheld': agentImage(leaving, built),
};

export interface Answering {
  readonly otherwise: AnswerKind;
  readonly answers?: Readonly<Record<string, unknown>>;
}

export interface Surrounding {
  readonly change: Partial<StepFacts>;
  readonly answerings: Readonly<Record<string, Answering>>;
  /** What the host is like; see `situations.ts`. */
  readonly hosts: readonly string[];
}

const complete: Answering = { otherwise: 'complete' };
const firmwareAnswers: Readonly<Record<string, Answering>> = {
  complete,
  'firmware changes begin': {
    otherwise: 'complete',
    answers: {
      serviceHost: answerOf('serviceHost', 'inProgress', { started: true }),
      prepareHost: answerOf('prepareHost', 'inProgress', { started: true }),
    },
  },
  'firmware changes go on': {
    otherwise: 'complete',
    answers: {
      serviceHost: answerOf('serviceHost', 'inProgress', { started: false }),
      prepareHost: answerOf('prepareHost', 'inProgress', { started: false }),
    },
  },
  'the node was made anew': {
    otherwise: 'complete',
    answers: { registerHost: answerOf('registerHost', 'complete', { isNew: true }) },
  },
  'firmware changes fail': {
    otherwise: 'complete',
    answers: { serviceHost: answerOf('serviceHost', 'failed'), prepareHost: answerOf('prepareHost', 'failed') },
  },
};

const driveAnswers: Readonly<Record<string, Answering>> = {
  'the drive is empty': complete,
  'the drive is full': { otherwise: 'complete', answers: { observeDrive: { kind: 'attached' } } },
  'the drive is busy': { otherwise: 'complete', answers: { observeDrive: { kind: 'busy' } } },
  'the drive cannot be read': {
    otherwise: 'complete',
    answers: { observeDrive: { kind: 'unreadable', message: 'no drive' } },
  },
  'nothing can be attached': {
    otherwise: 'complete',
    answers: { attachDataImage: { kind: 'failed', message: 'no' } },
  },
  'nothing can be detached': {
    otherwise: 'complete',
    answers: { observeDrive: { kind: 'attached' }, detachDataImage: { kind: 'failed', message: 'no' } },
  },
};

const imageAnswers: Readonly<Record<string, Answering>> = {
  'images are built': { otherwise: 'complete', answers: { askFormats: ['iso'] } },
  'images are needed': {
    otherwise: 'complete',
    answers: { askFormats: ['iso'], registerHost: { kind: 'needsImage', provisionerID: '' } },
  },
  'no image fits': { otherwise: 'complete', answers: { askFormats: [] } },
};

const inUse = ['plain', 'off, in use', 'in servicing', 'with a failed servicing', 'with updates under way', 'deleted'];

function of<T>(kind: string, table: Readonly<Record<string, T>>, make: (each: T) => Surrounding) {
  return Object.entries(table).map(([name, each]) => [`${kind} ${name}`, make(each)] as const);
}

export const besides: Readonly<Record<string, Surrounding>> = Object.fromEntries([
  ...of('firmware:', firmwares, (firmware) => ({ change: { firmware }, answerings: firmwareAnswers, hosts: inUse })),
  ...of('a data image', dataImages, (dataImage) => ({
    change: { dataImage },
    answerings: driveAnswers,
    hosts: ['off, in use'],
  })),
  ...of('an agent image that', agentImages, (preprovisioningImage) => ({
    change: preprovisioningImage === undefined ? {} : { preprovisioningImage },
    answerings: imageAnswers,
    hosts: ['plain', 'in servicing', 'with network data'],
  })),
]);
