import { describe, expect, it } from '@jest/globals';
import { type LastLook, standingOf, tally } from '../../../src/cli/up/goal.js';
import { hostFrom, statusFrom } from '../../support/chart-step.js';
import { aHost, type HostBuilder } from '../../support/host-builder.js';

const made = (builder: HostBuilder) => ({ ...hostFrom(builder), status: statusFrom(builder) });
const unseen: LastLook = () => undefined;
const failing: LastLook = () => ({ outcome: 'failed', isSilent: false });

describe('on the way to provisioned', () => {
  it.each<[string, HostBuilder, string, RegExp | undefined]>([
    ['there', aHost().in('provisioned'), 'there', undefined],
    ['there, even in error', aHost().in('provisioned', { errorType: 'power management error' }), 'there', undefined],
    ['under way while it works', aHost().in('inspecting'), 'underway', /^it is inspecting$/],
    ['under way before anybody has looked at it', aHost(), 'underway', /^it is not looked at yet$/],
    [
      'under way after a failure that is tried again',
      aHost().in('preparing', { errorMessage: 'bad disk' }),
      'underway',
      /^bad disk$/,
    ],
    ['out of reach while paused', aHost().annotated({ 'baremetalhost.metal3.io/paused': '' }), 'impossible', /paused/],
    [
      'out of reach while detached',
      aHost().annotated({ 'baremetalhost.metal3.io/detached': '' }),
      'impossible',
      /detached/,
    ],
    ['out of reach without a BMC', aHost().spec({ bmc: undefined }), 'impossible', /no BMC details/],
    ['out of reach without an image', aHost().withoutImage(), 'impossible', /no image/],
    ['out of reach when offline', aHost().spec({ online: false }), 'impossible', /offline/],
    ['out of reach when others provision it', aHost().spec({ externallyProvisioned: true }), 'impossible', /by others/],
    [
      'out of reach when its BMC refuses it',
      aHost().in('registering', { errorType: 'registration error', errorMessage: 'wrong password' }),
      'impossible',
      /^wrong password$/,
    ],
    [
      'under way with a custom deploy alone',
      aHost()
        .withoutImage()
        .spec({ customDeploy: { method: 'x' } }),
      'underway',
      /it is/,
    ],
  ])('a host is %s', (_what, builder, kind, why) => {
    const standing = standingOf(made(builder), 'provisioned', failing);
    expect(standing.kind).toBe(kind);
    if (why !== undefined) expect((standing as { why: string }).why).toMatch(why);
  });

  it.each<[string, LastLook]>([
    ['before this run has looked at it: what was wrong may be mended', unseen],
    ['while its BMC gives no answer: it may give one soon', () => ({ outcome: 'failed', isSilent: true })],
    ['while it is tried again', () => ({ outcome: 'update', isSilent: false })],
  ])('a host with a registration error is under way %s', (_when, lastLook) => {
    const host = made(aHost().in('registering', { errorType: 'registration error', errorMessage: 'no route' }));
    expect(standingOf(host, 'provisioned', lastLook)).toEqual({ kind: 'underway', why: 'no route' });
  });

  it('a host is asked after by its own key', () => {
    const host = made(aHost('a').in('registering', { errorType: 'registration error', errorMessage: 'no' }));
    const lastLook: LastLook = (key) => (key === 'default/a' ? failing(key) : undefined);
    expect(standingOf(host, 'provisioned', lastLook).kind).toBe('impossible');
  });

  it('tells what the host says that it waits for', () => {
    const host = made(aHost().in('inspecting'));
    const status = { ...host.status, lifecycle: { waitsFor: 'a free slot' } };
    expect(standingOf({ ...host, status }, 'provisioned', unseen)).toEqual({ kind: 'underway', why: 'a free slot' });
  });
});

describe('on the way to available', () => {
  it('a host needs no image and may be offline', () => {
    for (const builder of [aHost().withoutImage(), aHost().spec({ online: false })]) {
      expect(standingOf(made(builder.in('inspecting')), 'available', unseen).kind).toBe('underway');
    }
  });
});

describe('the tally', () => {
  it('is reached when nobody is on the way any more, those that never can be left out', () => {
    const [there, never] = [aHost('a').in('provisioned'), aHost('b').in('available').withoutImage()];
    const under = aHost('c').in('provisioning');
    expect(tally([there, never].map(made), 'provisioned', unseen)).toEqual({
      ...{ isReached: true, underway: [] },
      impossible: [{ key: 'default/b', why: 'it asks for no image' }],
    });
    expect(tally([there, under].map(made), 'provisioned', unseen)).toMatchObject({
      ...{ isReached: false, underway: [{ key: 'default/c' }], impossible: [] },
    });
  });

  it('is not reached by a fleet that has not come yet', () => {
    expect(tally([], 'provisioned', unseen).isReached).toBe(false);
  });
});
