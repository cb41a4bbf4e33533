import { describe, expect, it } from '@jest/globals';
import { newDraft, type PassResult, type Slot } from '../../../../machines/index.js';
import type { BareMetalHostStatus } from '../../../../src/apis/index.js';
import { EventMemory, Telling } from '../../../../src/controllers/host/telling.js';
import { troublePatch } from '../../../../src/controllers/host/trouble.js';
import { waitsFor } from '../../../../src/controllers/host/waiting.js';
import type { EventRecorder, EventSpec } from '../../../../src/kube/index.js';
import { deepFreeze, hostFrom, mergePatched, statusFrom } from '../../../support/chart-step.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { aHost, type HostBuilder } from '../../../support/host-builder.js';

const now = '2026-02-02T00:00:00Z';

function waiting(state: string, result: PassResult, change: Partial<BareMetalHostStatus> = {}, slot?: Slot): string {
  return waitingAs(aHost().in(state), result, change, slot);
}

function waitingAs(
  builder: HostBuilder,
  result: PassResult,
  change: Partial<BareMetalHostStatus> = {},
  slot: Slot = { kind: 'notNeeded' },
): string {
  const status = { ...statusFrom(builder), ...change };
  return waitsFor({ ...newDraft(status), result }, { slot, host: hostFrom(builder) } as never);
}

describe('what a host waits for', () => {
  const goes: PassResult = { kind: 'continue', afterMs: 1 };
  it.each(['available', 'provisioned', 'externally provisioned', 'ready', ''])('is nothing in "%s"', (state) => {
    expect(waiting(state, goes)).toBe('');
  });

  it.each([
    'unmanaged',
    'registering',
    'inspecting',
    'preparing',
    'provisioning',
    'deprovisioning',
    'powering off before delete',
    'deleting',
  ])('is told in "%s"', (state) => expect(waiting(state, goes)).toMatch(/^[a-zA-Z ].{5,}/));

  it('is the next try after a failure, which is named, at no great length', () => {
    const failed: PassResult = { kind: 'failed' };
    expect(waiting('preparing', failed, { errorMessage: 'no such disk' })).toBe('the next try after: no such disk');
    expect(waiting('preparing', failed, { errorMessage: 'x'.repeat(5000) }).length).toBeLessThan(350);
    expect(waiting('available', { kind: 'retry', message: 'y'.repeat(5000) })).toBe(`${'y'.repeat(299)}…`);
  });

  it('is a change, where nothing is tried again without one', () => {
    expect(waiting('available', { kind: 'failed', isFinal: true }, { errorMessage: 'x' })).toBe('a change after: x');
  });

  it('is, at the very end, what others hold the object by', () => {
    const leaving = aHost().in('deleting').deleted();
    expect(waitingAs(leaving, goes)).toBe('the Ironic node to be removed');
    const object = hostFrom(leaving);
    const held = {
      ...object,
      metadata: { ...object.metadata, finalizers: ['baremetalhost.metal3.io', 'example.com/a'] },
    };
    const draft = { ...newDraft(statusFrom(leaving)), result: goes };
    expect(waitsFor(draft, { slot: { kind: 'notNeeded' }, host: held } as never)).toBe(
      'the Ironic node to be removed, and then for others to remove the finalizers example.com/a',
    );
  });

  const annotated = (state: string, value: string) =>
    aHost().in(state).annotated({ 'baremetalhost.metal3.io/detached': value });

  it.each(['registering', 'inspecting', 'preparing', 'provisioning', 'deprovisioning'])(
    'is followed by a detachment that has to wait, in %s',
    (state) => {
      const later = /; its detached annotation acts after that, or at once if it says "force": true$/;
      expect(waitingAs(annotated(state, ''), goes)).toMatch(later);
      expect(waitingAs(annotated(state, ''), { kind: 'failed' }, { errorMessage: 'x' })).toMatch(later);
      expect(waitingAs(annotated(state, '{"force":true}'), goes)).not.toMatch(/detached/);
    },
  );

  it('is followed by a detachment, and a deletion after it, where that is to wait; not where it goes on', () => {
    const delay = '{"deleteAction":"delay"}';
    expect(waitingAs(annotated('provisioning', delay).deleted(), goes)).toMatch(
      /its deletion waits until that annotation/,
    );
    expect(waitingAs(annotated('deprovisioning', delay).deleted(), goes)).toBe('the disks to be cleaned');
    expect(waitingAs(annotated('provisioned', delay), goes)).toBe('');
  });

  it('is a slot, and does not change with the rank, which changes all the time', () => {
    const delayed: PassResult = { kind: 'delayed' };
    const texts = [1, 2, 17].map((rank) => waiting('inspecting', delayed, {}, { kind: 'waiting', rank, limit: 20 }));
    expect(new Set(texts)).toEqual(new Set(['a free slot: at most 20 hosts are worked on at once']));
    expect(waiting('inspecting', delayed)).toBe('a free slot');
  });

  it('is the end of its detachment, whatever the state', () => {
    expect(waiting('provisioned', goes, { operationalStatus: 'detached' })).toMatch(/detached annotation/);
  });
});

describe('trouble that is nobody’s fault', () => {
  const status = deepFreeze(statusFrom(aHost().in('provisioned')));
  const told = (patch: object | undefined) => patch as { conditions: { type: string; message: string }[] };

  it('is shown in the message of Progressing and in the lifecycle, and leaves the error fields alone', () => {
    const patch = troublePatch(status, 'Ironic is away', now, 3);
    expect(Object.keys(patch!).sort()).toEqual(['conditions', 'lastUpdated', 'lifecycle']);
    expect(told(patch).conditions.filter(({ message }) => message !== '')).toMatchObject([
      { type: 'Progressing', message: 'Ironic is away' },
    ]);
    expect(patch).toMatchObject({ lifecycle: { state: 'provisioned', waitsFor: 'Ironic is away' } });
  });

  it('is written once, and again only when it changes', () => {
    const shown = mergePatched(status, troublePatch(status, 'Ironic is away', now, 3)) as BareMetalHostStatus;
    expect(troublePatch(shown, 'Ironic is away', 'later', 3)).toBeUndefined();
    expect(troublePatch(shown, 'Ironic is locked', 'later', 3)).toMatchObject({ lastUpdated: 'later' });
  });

  it('takes away when the next try was due: it is sooner now', () => {
    const nextRetryAt = '2026-02-02T01:00:00Z';
    const failed = { ...status, lifecycle: { state: 'provisioned', waitsFor: 'a', nextRetryAt } };
    const shown = mergePatched(failed, troublePatch(failed, 'b', now, 3)) as BareMetalHostStatus;
    expect(shown.lifecycle).toEqual({ state: 'provisioned', waitsFor: 'b' });
  });

  it('leaves all other conditions as they were', () => {
    const shown = mergePatched(status, troublePatch(status, 'a', now, 3)) as BareMetalHostStatus;
    const { conditions } = told(troublePatch(shown, 'b', 'later', 9));
    const others = (list: readonly { type: string }[]) => list.filter(({ type }) => type !== 'Progressing');
    expect(others(conditions)).toEqual(others(shown.conditions!));
  });
});

describe('the events of a pass', () => {
  function teller() {
    const clock = new FakeClock();
    const published: EventSpec[] = [];
    const events = { publish: (spec: EventSpec) => published.push(spec) } as unknown as EventRecorder;
    const memory = new EventMemory(clock);
    const telling = () => new Telling(events, memory, hostFrom(aHost().spec({ consumerRef: { name: 'c' } })));
    return { clock, published, telling };
  }

  it('go out in order, once the pass is saved, with who they are about', () => {
    const { published, telling } = teller();
    const pass = telling();
    pass.queue('Registered', 'a');
    pass.queue('', 'nothing to say');
    pass.queue('ProfileSet', 'b');
    expect(published).toEqual([]);
    pass.publishQueued();
    pass.publishQueued();
    expect(published.map(({ reason }) => reason)).toEqual(['Registered', 'ProfileSet']);
    const subject = {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      namespace: 'default',
      name: 'host',
      uid: 'uid-1',
    };
    expect(published[0]).toMatchObject({ subject, related: { name: 'c' } });
  });

  it('are told once when the same comes twice in a row within a minute', () => {
    const { clock, published, telling } = teller();
    telling().now('PowerOn', 'x');
    clock.advance(59_999);
    telling().now('PowerOn', 'x');
    expect(published).toHaveLength(1);
    telling().now('PowerOff', 'x');
    telling().now('PowerOn', 'x');
    clock.advance(60_000);
    telling().now('PowerOn', 'x');
    expect(published).toHaveLength(4);
  });

  it('are told each time when they are failures', () => {
    const { published, telling } = teller();
    telling().now('PreparationError', 'x');
    telling().now('PreparationError', 'x');
    expect(published).toHaveLength(2);
  });
});
