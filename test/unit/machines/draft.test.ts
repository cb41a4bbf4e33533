import { describe, expect, it } from '@jest/globals';
import type { Draft, Observed } from '../../../machines/index.js';
import {
  cleared,
  continues,
  counted,
  fails,
  failureOf,
  forgiven,
  newDraft,
  polls,
  updates,
  withEvent,
  withProvisioning,
  withStatus,
} from '../../../machines/host.draft.js';
import { beginOperation, commitTransition, endOperation } from '../../../machines/host.history.js';
import * as deployment from '../../../machines/host.deployment.js';
import * as outcomes from '../../../machines/host.outcomes.js';
import type { BareMetalHostStatus } from '../../../src/apis/index.js';
import { deepFreeze, now, statusFrom, stepFacts } from '../../support/chart-step.js';
import { aHost, type HostBuilder, image } from '../../support/host-builder.js';

const draftIn = (state: string, change: Partial<BareMetalHostStatus> = {}): Draft =>
  deepFreeze(newDraft(statusFrom(aHost().in(state, change as never))));

function observed(builder: HostBuilder = aHost(), change: Partial<Observed> = {}): Observed {
  const { host } = stepFacts(builder);
  const profile = { name: 'unknown', hints: { deviceName: '/dev/sda' } };
  return deepFreeze({
    ...{ host, haveCredentials: true, credentials: {}, profile, slot: { kind: 'notNeeded' } as const, now },
    ...{ architecture: 'x86_64', firmware: { isIncomplete: false }, dataImage: undefined },
    ...{ preprovisioningImage: undefined, maxProvisioningRetries: 5, ...change },
  });
}

const error = {
  operationalStatus: 'error',
  errorType: 'inspection error',
  errorMessage: 'bad',
  errorCount: 2,
} as const;

describe('a draft', () => {
  it('is never changed in place', () => {
    const draft = draftIn('available', error);
    for (const next of [
      withStatus(draft, { poweredOn: false }),
      withProvisioning(draft, { ID: 'other' }),
      withEvent(draft, 'R', 'm'),
      counted(draft, 'metric', 'now'),
      cleared(draft),
      forgiven(draft),
      fails(draft, 'inspection error', 'again'),
      updates(draft, 0),
    ]) {
      expect(next).not.toBe(draft);
    }
    expect(draft).toEqual(draftIn('available', error));
  });

  it('loses its error when it is cleared, but not the count that feeds the back-off', () => {
    const { status } = cleared(draftIn('inspecting', error));
    expect(status).toMatchObject({ operationalStatus: 'OK', errorMessage: '', errorCount: 2 });
    expect(status.errorType).toBeUndefined();
  });

  it('stays the same object when there is nothing to clear', () => {
    const draft = draftIn('available');
    expect(cleared(draft)).toBe(draft);
    expect(cleared(draft, 'servicing').status.operationalStatus).toBe('servicing');
  });

  it('forgives the count alone', () => {
    expect(forgiven(draftIn('inspecting', error)).status).toMatchObject({
      errorType: 'inspection error',
      errorCount: 0,
    });
  });

  it('tells a failure by status, event and metric, and counts it once', () => {
    const failed = fails(draftIn('preparing', error), 'preparation error', 'no such disk');
    expect(failed.status).toMatchObject({
      ...{ operationalStatus: 'error', errorType: 'preparation error', errorMessage: 'no such disk', errorCount: 3 },
    });
    expect(failed.events).toEqual([{ reason: 'PreparationError', message: 'no such disk' }]);
    expect(failed.measurements).toEqual([
      { metric: 'metal3_host_error_total', labels: { error_type: 'PreparationError' }, when: 'saved' },
    ]);
    expect(failed.result).toEqual({ kind: 'failed' });
  });

  it.each([
    ['registration error', 'RegistrationError'],
    ['provisioned registration error', 'ProvisionedRegistrationError'],
    ['inspection error', 'InspectionError'],
    ['preparation error', 'PreparationError'],
    ['provisioning error', 'ProvisioningError'],
    ['power management error', 'PowerManagementError'],
    ['servicing error', 'ServicingError'],
  ] as const)('names the event of a %s %s', (type, reason) => {
    expect(fails(draftIn('available'), type, '').events[0]?.reason).toBe(reason);
  });

  it('is saved by a poll only when an old error went away with it', () => {
    const outcome = { kind: 'inProgress', requeueAfterMs: 3000 } as const;
    expect(polls(draftIn('inspecting'), outcome).result).toEqual({ kind: 'continue', afterMs: 3000 });
    expect(polls(draftIn('inspecting', error), outcome).result).toEqual({ kind: 'update', afterMs: 3000 });
    expect(polls(draftIn('inspecting'), { kind: 'complete' }).result).toEqual({ kind: 'continue', afterMs: 0 });
    expect(continues(draftIn('inspecting'), 5).result).toEqual({ kind: 'continue', afterMs: 5 });
  });

  it('finds the text of a failure, and none elsewhere', () => {
    expect(failureOf({ kind: 'failed', message: 'why' })).toBe('why');
    expect(failureOf({ kind: 'unreachable' })).toBe('');
  });
});

describe('the count of failed deployments', () => {
  const failing = { provisioningFailCount: 3, lastAttemptedImage: { ...image } };

  it.each<[string, HostBuilder, number]>([
    ['stays with the image that failed', aHost(), 3],
    ['goes with another URL', aHost().spec({ image: { ...image, url: 'http://other' } }), 0],
    ['goes with another checksum', aHost().spec({ image: { ...image, checksum: 'efgh' } }), 0],
    ['goes when nothing is wished', aHost().withoutImage(), 0],
    ['goes when the image is emptied', aHost().spec({ image: { url: '' } }), 0],
  ])('%s', (_what, builder, count) => {
    const { status } = outcomes.refreshFailCount(draftIn('available', failing), observed(builder));
    expect(status.provisioningFailCount).toBe(count);
  });

  it('stays with a custom deploy that has no image, so that the limit holds for it too', () => {
    const draft = draftIn('available', { provisioningFailCount: 3 });
    const host = observed(
      aHost()
        .withoutImage()
        .spec({ customDeploy: { method: 'install' } }),
    );
    expect(outcomes.refreshFailCount(draft, host)).toBe(draft);
  });

  it('grows by one, and is named with its limit and the remedy when it is reached', () => {
    expect(outcomes.countFailure(draftIn('provisioning', failing)).status.provisioningFailCount).toBe(4);
    const refused = outcomes.refuseRetries(
      draftIn('available', failing),
      observed(aHost(), { maxProvisioningRetries: 3 }),
    );
    expect(refused.status.errorMessage).toMatch(/3 times and the limit is 3; change the image, or/);
  });
});

describe('what a host is recorded to have', () => {
  it('is a copy of what was wished', () => {
    const wish = observed(aHost().spec({ customDeploy: { method: 'install' } }));
    const { provisioning } = deployment.copyProvisionedImage(draftIn('provisioning'), wish).status;
    expect(provisioning).toMatchObject({ image, customDeploy: { method: 'install' } });
    expect(provisioning.image).not.toBe(wish.host.spec.image);
  });

  it('stays where nothing is wished', () => {
    const draft = draftIn('provisioned');
    expect(deployment.copyProvisionedImage(draft, observed(aHost().withoutImage())).status).toEqual(draft.status);
  });

  it('is nothing after deprovisioning, and the settings are to be applied afresh', () => {
    const raid = { hardwareRAIDVolumes: [{ level: '1' as const }], softwareRAIDVolumes: [] };
    const draft = draftIn('deprovisioning', {
      ...error,
      provisioning: { raid, customDeploy: { method: 'x' } } as never,
    });
    const { provisioning, errorCount } = outcomes.forgetImage(draft).status;
    expect(provisioning.image).toEqual({ url: '' });
    expect(provisioning.raid).toEqual({ ...raid, softwareRAIDVolumes: null });
    expect([provisioning.customDeploy, provisioning.rootDeviceHints, errorCount]).toEqual([undefined, undefined, 0]);
  });
});

describe('giving up in a deletion', () => {
  const failure = { kind: 'failed', message: 'stuck' } as const;
  it.each([
    ['deprovisioning', outcomes.giveUpDeprovisioning, 'provisioning error', 0],
    ['deprovisioning', outcomes.giveUpAdopting, 'provisioned registration error', 0],
    ['powering off before delete', outcomes.giveUpPowerOff, 'power management error', 4],
  ] as const)('in %s still tells the failure, and counts that it was given up', (state, giveUp, type, errorCount) => {
    const draft = giveUp(draftIn(state, { ...error, errorCount: 3 }), failure);
    expect(draft.status).toMatchObject({ errorType: type, errorMessage: 'stuck', errorCount });
    expect(draft.result).toEqual({ kind: 'complete' });
    expect(draft.events).toHaveLength(1);
    expect(draft.measurements.map(({ metric }) => metric)).toEqual([
      'metal3_host_error_total',
      expect.stringMatching(/^metal3_delete_without_/),
    ]);
  });
});

describe('the history of operations', () => {
  it('opens with a start and no end, and an open one goes on', () => {
    const opened = beginOperation(draftIn('available'), 'provision', now);
    expect(opened.status.operationHistory?.provision).toEqual({ start: '2026-01-01T00:00:00Z', end: null });
    expect(beginOperation(opened, 'provision', now + 5000)).toBe(opened);
  });

  it('closes with the seconds that it took, measured once the status is saved', () => {
    const opened = beginOperation(draftIn('available'), 'provision', now);
    const closed = endOperation(opened, 'provision', now + 90_000);
    expect(closed.status.operationHistory?.provision?.end).toBe('2026-01-01T00:01:30Z');
    expect(closed.measurements).toEqual([
      { metric: 'metal3_operation_provision_duration_seconds', labels: {}, value: 90, when: 'saved' },
    ]);
    expect(endOperation(closed, 'provision', now)).toBe(closed);
    const again = beginOperation(closed, 'provision', now + 100_000);
    expect(again.status.operationHistory?.provision).toEqual({ start: '2026-01-01T00:01:40Z', end: null });
  });

  it('never counts a negative time, whatever the clocks say', () => {
    const opened = beginOperation(draftIn('available'), 'inspect', now);
    expect(endOperation(opened, 'inspect', now - 60_000).measurements[0]?.value).toBe(0);
  });

  it.each<[string, Parameters<typeof commitTransition>[1]['to'], string | undefined]>([
    ['registering', 'registering', 'UEFI'],
    ['inspecting', 'inspecting', 'UEFI'],
    ['provisioning', 'provisioning', 'UEFI'],
    ['preparing', 'preparing', undefined],
    ['provisioned', 'provisioned', undefined],
  ])('of a change to %s sets the boot mode where it takes effect', (_what, to, bootMode) => {
    const change = { from: 'available', to, bootMode: undefined, now } as const;
    expect(commitTransition(draftIn('available'), change).status.provisioning.bootMode).toBe(bootMode);
    const legacy = commitTransition(draftIn('available'), { ...change, bootMode: 'legacy' });
    expect(legacy.status.provisioning.bootMode).toBe(bootMode && 'legacy');
  });

  it('of a change counts it from one name on the wire to the other', () => {
    const change = { from: 'registering', to: 'externallyProvisioned', bootMode: undefined, now } as const;
    expect(commitTransition(draftIn('registering'), change).measurements).toEqual([
      {
        metric: 'metal3_provisioning_state_change_total',
        labels: { prev_state: 'registering', new_state: 'externally provisioned' },
        when: 'saved',
      },
    ]);
  });
});
