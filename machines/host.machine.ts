/**
 * The life of a host. Three regions, one question each: `pass`, what this reconcile is doing; `lifecycle`, where the host is
 * (one state for each `status.provisioning.state`); `standing`, how it stands (`status.operationalStatus`).
 *
 * One `reconcile` is one pass: it walks through the gates of `pass`, which hold in every state, and hands over to
 * `lifecycle` with `work`, `delete` or `release`. A pass is over when nothing is `busy`; a thrown error ends it at once and
 * nothing of it is kept. Everything here is a name; what the names do stands in host.setup.ts.
 */
import { hostSetup } from './host.setup.js';
import type { ActorInput, HostContext, InspectionOutcome, Outcome, PreparationOutcome } from './host.context.js';
import type { Draft, RegistrationOutcome, RemovalOutcome } from './host.context.js';
import { factsOf } from './host.guards.js';

const answer = <T>({ event }: { event: { output: T } }) => ({ outcome: event.output });
const registration = answer<RegistrationOutcome>;
const inspection = answer<InspectionOutcome>;
const preparation = answer<PreparationOutcome>;
const removal = answer<RemovalOutcome>;
const outcome = answer<Outcome>;
const draft = answer<Draft>;

const facts = ({ context }: { context: HostContext }): ActorInput => {
  const { observed, draft } = factsOf(context);
  return { observed, status: draft.status, services: context.services };
};
const powerFacts = ({ context }: { context: HostContext }) => ({ ...factsOf(context), services: context.services });

const busy = (step: string) => ({ tags: 'busy', entry: { type: 'noteStep', params: { step } } }) as const;
const state = <S extends string>(name: S) => `#host.lifecycle.${name}` as const;

/** Power is looked after in every state in which the host rests. */
const power = {
  ...busy('managePower'),
  invoke: {
    src: 'managePower',
    input: powerFacts,
    onDone: { target: 'rest', actions: { type: 'takePowerDraft', params: draft } },
  },
} as const;

/** Before anything is done to a host in use, the back end must know that it is in use. */
const adopting = <S extends string>(next: S) =>
  ({
    ...busy('adoptHost'),
    invoke: {
      src: 'adoptHost',
      input: facts,
      onDone: [
        { guard: { type: 'isUnreachable', params: removal }, target: state('deleting'), actions: 'giveUpUnreachable' },
        {
          guard: { type: 'hasFailed', params: removal },
          target: 'rest',
          actions: { type: 'recordAdoptionFailure', params: removal },
        },
        {
          guard: { type: 'isInProgress', params: removal },
          target: 'rest',
          actions: { type: 'poll', params: removal },
        },
        { target: next },
      ],
    },
  }) as const;

/** The one-shot reboot request is fulfilled by the work itself: whatever was asked for, the machine has been rebooted. */
const clearingReboot = {
  ...busy('removeRebootRequest'),
  invoke: { src: 'removeRebootRequest', input: facts, onDone: { target: 'rest', actions: 'requeueNow' } },
} as const;

export const hostMachine = hostSetup.createMachine({
  id: 'host',
  type: 'parallel',
  context: ({ input }) => ({ observed: undefined, draft: undefined, services: undefined, step: null, ...input }),
  states: {
    pass: {
      initial: 'rest',
      states: {
        rest: { on: { reconcile: { target: 'capacity', actions: 'observe' } } },
        capacity: {
          always: [
            { guard: 'isStillDelayed', target: 'rest', actions: 'keepDelayed' },
            { guard: 'isDelayed', target: 'rest', actions: 'leaveDelayed' },
            { guard: 'isBusyWithoutSlot', target: 'rest', actions: 'becomeDelayed' },
            { target: 'deletion' },
          ],
        },
        deletion: {
          always: [
            { guard: 'isDeletionDelayed', target: 'detachment', actions: 'countDelayedDeletion' },
            { guard: 'isReleasedByDetachment', target: 'rest', actions: 'askRelease' },
            { guard: 'hasGivenUpRegistering', target: 'rest', actions: 'askRelease' },
            { guard: 'startsDeletion', target: 'rest', actions: 'askDeletion' },
            { target: 'detachment' },
          ],
        },
        detachment: {
          always: [
            { guard: 'mustDetach', target: 'detaching' },
            { guard: 'wasDetached', target: 'rest', actions: 'leaveDetached' },
            { target: 'registration' },
          ],
        },
        detaching: {
          ...busy('detachHost'),
          invoke: {
            src: 'detachHost',
            input: facts,
            onDone: [
              {
                guard: { type: 'hasFailed', params: outcome },
                target: 'rest',
                actions: { type: 'recordDetachFailure', params: outcome },
              },
              {
                guard: { type: 'isInProgress', params: outcome },
                target: 'rest',
                actions: { type: 'keepDetaching', params: outcome },
              },
              { target: 'rest', actions: 'becomeDetached' },
            ],
          },
        },
        registration: {
          always: [
            { guard: 'skipsRegistration', target: 'work' },
            { target: 'registering', actions: 'beginRegistration' },
          ],
        },
        registering: {
          ...busy('registerHost'),
          invoke: {
            src: 'registerHost',
            input: facts,
            onDone: { target: 'registered', actions: { type: 'recordRegistration', params: registration } },
          },
        },
        registered: { always: [{ guard: 'isPassOver', target: 'rest' }, { target: 'work' }] },
        work: { always: { target: 'rest', actions: 'askWork' } },
      },
    },

    lifecycle: {
      initial: 'none',
      on: { release: '.deleting' },
      states: {
        none: {
          on: {
            delete: 'deleting',
            work: [
              { guard: 'hasBMCDetails', target: 'registering' },
              { target: 'unmanaged', actions: 'discover' },
            ],
          },
        },
        unmanaged: {
          on: {
            delete: 'deleting',
            work: [{ guard: 'hasBMCDetails', target: 'registering' }, { actions: 'waitForDetails' }],
          },
        },
        registering: {
          on: {
            delete: 'deleting',
            work: [
              { guard: 'isExternallyProvisioned', target: 'externallyProvisioned', actions: 'forgive' },
              { guard: 'isInspectionDisabled', target: 'preparing', actions: 'forgive' },
              { guard: 'lacksSlot', actions: ['forgive', 'becomeDelayed'] },
              { target: 'inspecting', actions: 'forgive' },
            ],
          },
        },
        matchingProfile: {
          on: { delete: 'poweringOffBeforeDelete', work: { target: 'preparing', actions: 'forgive' } },
        },

        inspecting: {
          initial: 'rest',
          on: { delete: 'poweringOffBeforeDelete' },
          states: {
            rest: {
              on: {
                work: [
                  { guard: 'isInspectionDisabled', target: state('preparing'), actions: 'skipInspection' },
                  { target: 'inspectingHardware' },
                ],
              },
            },
            inspectingHardware: {
              ...busy('inspectHardware'),
              invoke: {
                src: 'inspectHardware',
                input: facts,
                onDone: [
                  {
                    guard: { type: 'hasFailed', params: inspection },
                    target: 'rest',
                    actions: { type: 'recordInspectionFailure', params: inspection },
                  },
                  { guard: { type: 'hasStartedRequests', params: inspection }, target: 'clearingRequests' },
                  {
                    guard: { type: 'lacksDetails', params: inspection },
                    target: 'rest',
                    actions: { type: 'poll', params: inspection },
                  },
                  { target: 'savingHardware', actions: { type: 'recordHardware', params: inspection } },
                ],
              },
            },
            clearingRequests: {
              ...busy('removeInspectionRequests'),
              invoke: {
                src: 'removeInspectionRequests',
                input: facts,
                onDone: { target: 'rest', actions: 'requeueNow' },
              },
            },
            savingHardware: {
              ...busy('saveHardwareData'),
              invoke: { src: 'saveHardwareData', input: facts, onDone: state('preparing') },
            },
          },
        },

        preparing: {
          initial: 'rest',
          on: { delete: 'poweringOffBeforeDelete' },
          states: {
            rest: { on: { work: 'preparingHost' } },
            preparingHost: {
              ...busy('prepareHost'),
              invoke: {
                src: 'prepareHost',
                input: facts,
                onDone: { target: 'prepared', actions: { type: 'recordPreparation', params: preparation } },
              },
            },
            prepared: { always: [{ guard: 'isPassOver', target: 'rest' }, { target: state('available') }] },
          },
        },

        available: {
          initial: 'rest',
          on: { delete: 'poweringOffBeforeDelete' },
          states: {
            rest: {
              on: {
                work: [
                  {
                    guard: 'isExternallyProvisioned',
                    target: state('externallyProvisioned'),
                    actions: 'clearProvisioningSettings',
                  },
                  { guard: 'isInspectionRequestedWithoutSlot', actions: 'becomeDelayed' },
                  { guard: 'isInspectionRequested', target: state('inspecting') },
                  { guard: 'settingsDiffer', target: state('preparing') },
                  { guard: 'isRetryLimitReached', actions: ['refreshFailCount', 'refuseRetries'] },
                  {
                    guard: 'needsProvisioningWithoutSlot',
                    actions: ['refreshFailCount', 'clearError', 'becomeDelayed'],
                  },
                  {
                    guard: 'needsProvisioning',
                    target: state('provisioning'),
                    actions: ['refreshFailCount', 'clearError'],
                  },
                  { target: 'power', actions: 'refreshFailCount' },
                ],
              },
            },
            power,
          },
        },

        provisioning: {
          initial: 'rest',
          on: { delete: 'deprovisioning' },
          states: {
            rest: {
              on: {
                work: [
                  { guard: 'isProvisioningInError', target: state('deprovisioning'), actions: 'countFailure' },
                  { guard: 'isProvisioningCancelled', target: state('deprovisioning') },
                  { target: 'deploying', actions: 'rememberImage' },
                ],
              },
            },
            deploying: {
              ...busy('provisionHost'),
              invoke: {
                src: 'provisionHost',
                input: facts,
                onDone: [
                  {
                    guard: { type: 'hasFailed', params: outcome },
                    target: 'rest',
                    actions: { type: 'recordProvisioningFailure', params: outcome },
                  },
                  { guard: 'hasBaseReboot', target: 'clearingReboot' },
                  {
                    guard: { type: 'isInProgress', params: outcome },
                    target: 'rest',
                    actions: { type: 'poll', params: outcome },
                  },
                  { target: state('provisioned'), actions: ['copyProvisionedImage', 'completeProvisioning'] },
                ],
              },
            },
            clearingReboot,
          },
        },

        provisioned: {
          initial: 'rest',
          on: {
            delete: [{ guard: 'lacksSlot', actions: 'becomeDelayed' }, { target: 'deprovisioning' }],
          },
          states: {
            rest: {
              on: {
                work: [
                  { guard: 'isCancelledWithoutSlot', actions: 'becomeDelayed' },
                  { guard: 'isProvisioningCancelled', target: state('deprovisioning') },
                  { target: 'adopting' },
                ],
              },
            },
            adopting: adopting('power'),
            power,
          },
        },

        externallyProvisioned: {
          initial: 'rest',
          on: { delete: 'poweringOffBeforeDelete' },
          states: {
            rest: {
              on: {
                work: [
                  { guard: 'isExternallyProvisioned', target: 'adopting' },
                  { target: state('provisioned'), actions: 'copyProvisionedImage' },
                ],
              },
            },
            adopting: adopting('power'),
            power,
          },
        },

        deprovisioning: {
          initial: 'rest',
          states: {
            rest: { on: { work: [{ guard: 'hasImageToAdopt', target: 'adopting' }, { target: 'undeploying' }] } },
            adopting: adopting('undeploying'),
            undeploying: {
              ...busy('deprovisionHost'),
              invoke: {
                src: 'deprovisionHost',
                input: facts,
                onDone: [
                  {
                    guard: { type: 'isUnreachable', params: removal },
                    target: state('deleting'),
                    actions: 'giveUpUnreachable',
                  },
                  {
                    guard: { type: 'hasGivenUp', params: removal },
                    target: state('poweringOffBeforeDelete'),
                    actions: { type: 'giveUpDeprovisioning', params: removal },
                  },
                  {
                    guard: { type: 'hasFailed', params: removal },
                    target: 'rest',
                    actions: { type: 'recordProvisioningFailure', params: removal },
                  },
                  {
                    guard: { type: 'isInProgress', params: removal },
                    target: 'rest',
                    actions: { type: 'poll', params: removal },
                  },
                  { guard: 'hasBaseReboot', target: 'clearingReboot' },
                  { guard: 'isDeleting', target: state('poweringOffBeforeDelete'), actions: 'forgetImage' },
                  { target: state('available'), actions: 'forgetImage' },
                ],
              },
            },
            clearingReboot,
          },
        },

        poweringOffBeforeDelete: {
          initial: 'rest',
          states: {
            rest: {
              on: {
                work: [
                  { guard: 'isPowerOffDisabled', target: state('deleting'), actions: 'forgive' },
                  { target: 'poweringOff' },
                ],
              },
            },
            poweringOff: {
              ...busy('powerOffHost'),
              invoke: {
                src: 'powerOffHost',
                input: facts,
                onDone: [
                  {
                    guard: { type: 'isUnreachable', params: removal },
                    target: state('deleting'),
                    actions: 'giveUpUnreachable',
                  },
                  {
                    guard: { type: 'hasGivenUp', params: removal },
                    target: state('deleting'),
                    actions: { type: 'giveUpPowerOff', params: removal },
                  },
                  {
                    guard: { type: 'hasFailed', params: removal },
                    target: 'rest',
                    actions: { type: 'recordPowerFailure', params: removal },
                  },
                  {
                    guard: { type: 'isInProgress', params: removal },
                    target: 'rest',
                    actions: { type: 'poll', params: removal },
                  },
                  { target: state('deleting'), actions: 'recordPoweredOff' },
                ],
              },
            },
          },
        },

        deleting: {
          initial: 'rest',
          states: {
            rest: { on: { work: 'removing' } },
            removing: {
              ...busy('deleteHost'),
              invoke: {
                src: 'deleteHost',
                input: facts,
                onDone: [
                  {
                    guard: { type: 'isInProgress', params: outcome },
                    target: 'rest',
                    actions: { type: 'keepDeleting', params: outcome },
                  },
                  { target: 'releasing' },
                ],
              },
            },
            releasing: {
              ...busy('releaseHost'),
              invoke: {
                src: 'releaseHost',
                input: facts,
                onDone: { target: state('deleted'), actions: 'finishDeletion' },
              },
            },
          },
        },
        deleted: { type: 'final' },
      },
    },

    standing: {
      initial: 'ok',
      on: {
        'stand.ok': '.ok',
        'stand.discovered': '.discovered',
        'stand.error': '.error',
        'stand.delayed': '.delayed',
        'stand.detached': '.detached',
        'stand.servicing': '.servicing',
      },
      states: { ok: {}, discovered: {}, error: {}, delayed: {}, detached: {}, servicing: {} },
    },
  },
});
