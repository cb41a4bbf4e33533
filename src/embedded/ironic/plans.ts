import { isRedfish } from './drivers.js';
import type { FaultStep } from './fault-schema.js';
import type { NodeRecord, PowerState, Step } from './node-record.js';
import type { PhaseTime, Settings } from './settings.js';
import type { ProvisionState } from './state-table.js';

export const planNames = [
  'verify',
  'inspect',
  'clean',
  'manualClean',
  'deploy',
  'undeploy',
  'adopt',
  'service',
] as const;
export type PlanName = (typeof planNames)[number];

/** What happens in the record when a phase or a plan is through. */
export type Effect = 'verified' | 'precreatePorts' | 'inspected' | 'stepsDone' | 'deployed' | 'tornDown';

/** One stretch of a plan. */
export interface Phase {
  state: ProvisionState;
  /** Whether the conductor holds the node's lock meanwhile. */
  locked: boolean;
  time: PhaseTime;
  /** The part of that time, where it is shared with other phases; default 1. */
  share?: number;
  /** Power state that the phase ends with. */
  power?: PowerState;
  effect?: Effect;
  /** The place where an injected failure of the plan's step shows. */
  mayFail?: true;
  /** Which step field shows the running step meanwhile. */
  shows?: 'clean_step' | 'deploy_step' | 'service_step';
}

/** A procedure of the conductor, from the request that starts it to its end. */
export interface Plan {
  phases: readonly Phase[];
  step: FaultStep;
  target: ProvisionState;
  /** State at the end; a plan with `next` goes on with that one instead. */
  end: ProvisionState;
  next?: PlanName;
  failed: ProvisionState;
  /** Fault that a failure sets, together with maintenance. */
  fault?: string;
}

/** The plan of a procedure for one node: with its interfaces and its cleaning mode. */
export function planFor(name: PlanName, node: NodeRecord, settings: Settings): Plan {
  switch (name) {
    case 'verify':
      return {
        phases: [{ state: 'verifying', locked: true, time: 'verify', effect: 'verified', mayFail: true }],
        step: 'verify',
        target: 'manageable',
        end: 'manageable',
        failed: 'enroll',
      };
    case 'inspect':
      return {
        phases: inspectPhases(node),
        step: 'inspect',
        target: 'manageable',
        end: 'manageable',
        failed: 'inspect failed',
      };
    case 'clean':
      return { ...cleaning(automatedPhases(node, settings)), target: 'available', end: 'available' };
    case 'manualClean':
      return { ...cleaning(manualPhases(node)), target: 'manageable', end: 'manageable' };
    case 'deploy':
      return {
        phases: deployPhases(node),
        step: 'deploy',
        target: 'active',
        end: 'active',
        failed: 'deploy failed',
      };
    case 'undeploy':
      return {
        phases: deletePhases(node),
        step: 'undeploy',
        target: 'available',
        end: 'available',
        next: 'clean',
        failed: 'error',
      };
    case 'adopt':
      return {
        phases: [{ state: 'adopting', locked: true, time: 'adopt', mayFail: true }],
        step: 'adopt',
        target: 'active',
        end: 'active',
        failed: 'adopt failed',
      };
    case 'service':
      return {
        phases: servicePhases,
        step: 'service',
        target: 'active',
        end: 'active',
        failed: 'service failed',
        fault: 'service failure',
      };
  }
}

function cleaning(phases: readonly Phase[]) {
  return { phases, step: 'clean', failed: 'clean failed', fault: 'clean failure' } as const;
}

const cleanStart: Phase = { state: 'cleaning', locked: true, time: 'cleanStart', power: 'power on' };
const cleanWait: Phase = {
  ...{ state: 'clean wait', locked: false, time: 'cleanWait', mayFail: true, shows: 'clean_step' },
};
const cleanEnd: Phase = { state: 'cleaning', locked: true, time: 'cleanEnd', power: 'power off', effect: 'stepsDone' };

/** Of the time of a wait for an agent, what passes until it calls for the first time, and what the answer takes. */
const [callShare, answerShare] = [0.48, 0.04];

/** The agent boots and calls; the step is given to it; it calls again when that is done. */
const inBandClean: readonly Phase[] = [
  cleanStart,
  { state: 'clean wait', locked: false, time: 'cleanWait', share: callShare },
  { state: 'cleaning', locked: true, time: 'cleanWait', share: answerShare, shows: 'clean_step' },
  { ...cleanWait, share: 1 - callShare - answerShare },
  cleanEnd,
];
/** Steps that go to the controller need no agent; the machine starts for them, and stays on. */
const outOfBandClean: readonly Phase[] = [
  cleanStart,
  cleanWait,
  { state: 'cleaning', locked: true, time: 'cleanEnd', effect: 'stepsDone' },
];

function automatedPhases(node: NodeRecord, settings: Settings): readonly Phase[] {
  const cleans = node.fields.automated_clean ?? settings.automatedClean;
  if (!cleans) return [{ state: 'cleaning', locked: true, time: 'cleanSkip' }];
  return node.fields.deploy_interface === 'fake' ? fakeClean : inBandClean;
}

/** The fake driver cleans by itself. */
const fakeClean: readonly Phase[] = [
  { state: 'cleaning', locked: true, time: 'cleanStart', effect: 'stepsDone', mayFail: true },
];

function manualPhases(node: NodeRecord): readonly Phase[] {
  if (node.fields.deploy_interface === 'fake') return fakeClean;
  const isInBand = (step: Step) =>
    step.interface === 'deploy' || (step.interface === 'raid' && node.fields.raid_interface === 'agent');
  return node.work?.steps.some(isInBand) ? inBandClean : outOfBandClean;
}

function deletePhases(node: NodeRecord): readonly Phase[] {
  const phase: Phase = { state: 'deleting', locked: true, time: 'delete', effect: 'tornDown', mayFail: true };
  return [node.fields.deploy_interface === 'fake' ? phase : { ...phase, power: 'power off' }];
}

function inspectPhases(node: NodeRecord): readonly Phase[] {
  const { inspect_interface: how, driver } = node.fields;
  if (how !== 'agent') {
    return [{ state: 'inspecting', locked: true, time: 'inspectStart', effect: 'inspected', mayFail: true }];
  }
  const start: Phase = { state: 'inspecting', locked: true, time: 'inspectStart', power: 'power on' };
  return [
    isRedfish(driver) ? { ...start, effect: 'precreatePorts' } : start,
    { state: 'inspect wait', locked: false, time: 'inspectWait' },
    {
      state: 'inspecting',
      locked: true,
      time: 'inspectEnd',
      power: 'power off',
      effect: 'inspected',
      mayFail: true,
    },
  ];
}

function deployPhases(node: NodeRecord): readonly Phase[] {
  const begin: Phase = { state: 'deploying', locked: true, time: 'deployStart' };
  const how = node.fields.deploy_interface;
  if (how === 'fake') return [{ ...begin, effect: 'deployed', mayFail: true }];
  const start: Phase = { ...begin, power: 'power on' };
  if (how === 'ramdisk') return [{ ...start, effect: 'deployed', mayFail: true }];
  return [
    start,
    { state: 'wait call-back', locked: false, time: 'deployWait', share: callShare, shows: 'deploy_step' },
    { state: 'deploying', locked: true, time: 'deployWait', share: answerShare, shows: 'deploy_step' },
    {
      ...{ state: 'wait call-back', locked: false, time: 'deployWait', share: 1 - callShare - answerShare },
      ...{ mayFail: true, shows: 'deploy_step' },
    },
    {
      state: 'deploying',
      locked: true,
      time: 'deployEnd',
      power: 'power on',
      effect: 'deployed',
      shows: 'deploy_step',
    },
  ];
}

const servicePhases: readonly Phase[] = [
  { state: 'servicing', locked: true, time: 'serviceStart', power: 'power on', shows: 'service_step' },
  { state: 'service wait', locked: false, time: 'serviceWait', mayFail: true, shows: 'service_step' },
  { state: 'servicing', locked: true, time: 'serviceEnd', effect: 'stepsDone', shows: 'service_step' },
];
