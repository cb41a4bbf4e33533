/**
 * The life of a host. Three regions, one question each: `pass`, what this reconcile is doing; `lifecycle`, where the host is
 * (one state for each `status.provisioning.state`); `standing`, how it stands (`status.operationalStatus`).
 *
 * One `reconcile` is one pass: it walks through the gates of `pass`, which hold in every state, and hands over to
 * `lifecycle` with `work`, `delete` or `release`. A pass is over when nothing is `busy`. Everything here is a name: what the
 * names do stands in host.setup.ts, the shapes that recur in host.steps.ts.
 */
import { hostSetup } from './host.setup.js';
import {
  adopting,
  clearingReboot,
  failing,
  letGo,
  letGoAtWork,
  lifecycle,
  power,
  removing,
  step,
  told,
} from './host.steps.js';
import { readyingImage, registering } from './host.steps.js';

export const hostMachine = hostSetup.createMachine({
  id: 'host',
  type: 'parallel',
  context: ({ input }) => ({
    observed: undefined,
    draft: undefined,
    image: { kind: 'unused' },
    services: undefined,
    step: null,
    ...input,
  }),
  states: {
    pass: {
      initial: 'rest',
      states: {
        rest: { on: { reconcile: { target: 'capacity', actions: 'observe' } } },
        capacity: {
          always: [
            { guard: 'isStillDelayed', target: 'rest', actions: 'becomeDelayed' },
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
        detaching: step('detachHost', [
          failing('recordDetachFailure'),
          { guard: told('isInProgress'), target: 'rest', actions: told('keepDetaching') },
          { target: 'rest', actions: 'becomeDetached' },
        ]),
        registration: {
          always: [
            { guard: 'skipsRegistration', target: 'work' },
            { guard: 'needsNoImage', target: 'registering', actions: 'beginRegistration' },
            { target: 'readyingImage', actions: 'beginRegistration' },
          ],
        },
        readyingImage,
        registering,
        forgettingLostUpdates: step('forgetFirmwareUpdates', 'registered'),
        registered: {
          always: [
            { guard: 'isPassOver', target: 'rest' },
            { guard: 'lacksFirmwareObjects', target: 'claimingFirmware' },
            { target: 'work' },
          ],
        },
        claimingFirmware: step('claimFirmwareObjects', 'work'),
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
          on: { delete: letGoAtWork },
          states: {
            rest: {
              on: {
                work: [
                  { guard: 'isInspectionDisabled', target: lifecycle('preparing'), actions: 'skipInspection' },
                  { target: 'inspectingHardware' },
                ],
              },
            },
            inspectingHardware: step('inspectHardware', [
              failing('recordInspectionFailure'),
              { guard: told('hasStartedRequests'), target: 'clearingRequests' },
              { guard: told('lacksDetails'), target: 'rest', actions: told('poll') },
              { target: 'savingHardware', actions: told('recordHardware') },
            ]),
            clearingRequests: step('removeInspectionRequests', { target: 'rest', actions: 'requeueNow' }),
            savingHardware: step('saveHardwareData', lifecycle('preparing')),
          },
        },

        preparing: {
          initial: 'rest',
          on: { delete: letGo },
          states: {
            rest: {
              on: {
                work: [{ guard: 'isFirmwareUnknown', actions: 'waitForFirmware' }, { target: 'preparingHost' }],
              },
            },
            preparingHost: step('prepareHost', [
              {
                guard: told('mustForgetUpdates'),
                target: 'forgettingUpdates',
                actions: told('recordPreparation'),
              },
              {
                guard: told('mustRecordUpdates'),
                target: 'recordingUpdates',
                actions: told('recordPreparation'),
              },
              { target: 'prepared', actions: told('recordPreparation') },
            ]),
            forgettingUpdates: step('forgetFirmwareUpdates', 'prepared'),
            recordingUpdates: step('recordFirmwareUpdates', 'prepared'),
            prepared: { always: [{ guard: 'isPassOver', target: 'rest' }, { target: lifecycle('available') }] },
          },
        },

        available: {
          initial: 'rest',
          on: { delete: letGo },
          states: {
            rest: {
              on: {
                work: [
                  {
                    guard: 'isExternallyProvisioned',
                    target: lifecycle('externallyProvisioned'),
                    actions: 'clearProvisioningSettings',
                  },
                  { guard: 'isInspectionRefused', target: 'refusingInspection', actions: 'refuseInspection' },
                  { guard: 'isInspectionRequestedWithoutSlot', actions: 'becomeDelayed' },
                  { guard: 'isInspectionRequested', target: lifecycle('inspecting') },
                  { guard: 'settingsDiffer', target: lifecycle('preparing') },
                  { guard: 'isFirmwareUnknown', actions: 'retryForFirmware' },
                  { guard: 'isFirmwareChanged', target: lifecycle('preparing') },
                  { guard: 'isRetryLimitReached', actions: ['refreshFailCount', 'refuseRetries'] },
                  {
                    guard: 'needsProvisioningWithoutSlot',
                    actions: ['refreshFailCount', 'clearError', 'becomeDelayed'],
                  },
                  {
                    guard: 'needsProvisioning',
                    target: lifecycle('provisioning'),
                    actions: ['refreshFailCount', 'clearError', 'intendDeployment'],
                  },
                  { target: 'power', actions: 'refreshFailCount' },
                ],
              },
            },
            refusingInspection: step('removeInspectionRequest', { target: 'rest', actions: 'requeueNow' }),
            power,
          },
        },

        provisioning: {
          initial: 'rest',
          on: { delete: { target: 'deprovisioning', actions: 'forgive' } },
          states: {
            rest: {
              on: {
                work: [
                  { guard: 'isProvisioningInError', target: lifecycle('deprovisioning'), actions: 'countFailure' },
                  {
                    guard: 'isProvisioningCancelled',
                    target: lifecycle('deprovisioning'),
                    actions: 'tellCancellation',
                  },
                  { target: 'deploying' },
                ],
              },
            },
            deploying: step('provisionHost', [
              {
                guard: told('hasFailed'),
                target: 'rest',
                actions: [told('rememberDeployment'), told('recordProvisioningFailure')],
              },
              { guard: 'hasBaseReboot', target: 'clearingReboot', actions: told('rememberDeployment') },
              { guard: told('isInProgress'), target: 'rest', actions: told('keepDeploying') },
              {
                target: lifecycle('provisioned'),
                actions: [told('rememberDeployment'), told('recordDeployment'), 'completeProvisioning'],
              },
            ]),
            clearingReboot,
          },
        },

        provisioned: {
          initial: 'rest',
          on: {
            delete: [
              { guard: 'lacksSlot', actions: 'delayDeprovisioning' },
              // The patience of a deletion is for its own failures: what it gives up stays on the disks.
              { target: 'deprovisioning', actions: 'forgive' },
            ],
          },
          states: {
            rest: {
              on: {
                work: [
                  { guard: 'isCancelledWithoutSlot', actions: 'delayDeprovisioning' },
                  {
                    guard: 'isProvisioningCancelled',
                    target: lifecycle('deprovisioning'),
                    actions: 'tellCancellation',
                  },
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
                  { target: lifecycle('provisioned'), actions: 'copyProvisionedImage' },
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
            adopting: step('adoptHost', [
              ...removing('recordAdoptionFailure', 'giveUpAdopting', lifecycle('poweringOffBeforeDelete')),
              { target: 'undeploying' },
            ]),
            undeploying: step('deprovisionHost', [
              ...removing('recordProvisioningFailure', 'giveUpDeprovisioning', lifecycle('poweringOffBeforeDelete')),
              { guard: 'hasBaseReboot', target: 'clearingReboot' },
              { guard: 'isDeleting', target: lifecycle('poweringOffBeforeDelete'), actions: 'forgetImage' },
              { target: lifecycle('available'), actions: 'forgetImage' },
            ]),
            clearingReboot,
          },
        },

        poweringOffBeforeDelete: {
          initial: 'rest',
          states: {
            rest: {
              on: {
                work: [
                  { guard: 'isPowerOffDisabled', target: lifecycle('deleting'), actions: 'forgive' },
                  { target: 'poweringOff' },
                ],
              },
            },
            poweringOff: step('powerOffHost', [
              ...removing('recordPowerFailure', 'giveUpPowerOff', lifecycle('deleting')),
              { target: lifecycle('deleting'), actions: 'recordPoweredOff' },
            ]),
          },
        },

        deleting: {
          initial: 'rest',
          states: {
            rest: { on: { work: 'removing' } },
            removing: step('deleteHost', [
              { guard: told('isInProgress'), target: 'rest', actions: told('keepDeleting') },
              // Never given up: whoever lets the host go now leaves its machine behind, with nobody to look after it.
              failing('retryDeletion'),
              { target: 'releasing' },
            ]),
            releasing: step('releaseHost', { target: lifecycle('deleted'), actions: 'finishDeletion' }),
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
