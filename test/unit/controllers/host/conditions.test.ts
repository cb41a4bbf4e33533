import { describe, expect, it } from '@jest/globals';
import { checksPowerFailure, computeConditions } from '../../../../src/controllers/host/conditions.js';
import type { BareMetalHostStatus, Condition } from '../../../../src/apis/index.js';
import { statusFrom } from '../../../support/chart-step.js';
import { aHost } from '../../../support/host-builder.js';

const now = '2026-02-02T00:00:00Z';
const statusIn = (state: string, operationalStatus = 'OK', conditions?: Condition[]): BareMetalHostStatus => ({
  ...statusFrom(aHost().in(state)),
  ...{ operationalStatus, conditions },
});

function computed(status: BareMetalHostStatus, change: Partial<Parameters<typeof computeConditions>[0]> = {}) {
  return computeConditions({ status, generation: 7, now, powerFailure: false, health: '', trouble: '', ...change });
}

function short(conditions: readonly Condition[], ...types: string[]): string {
  const chosen = types.map((type) => conditions.find((each) => each.type === type));
  return chosen.map((each) => `${each?.status[0]} ${each?.reason}`).join(', ');
}

const all = ['Manageable', 'AvailableForProvisioning', 'Provisioned', 'Ready', 'Progressing'];

describe('the conditions of a host', () => {
  const none = 'F NotAvailable, F NotProvisioned, F NotProvisioned';
  it.each<[string, string]>([
    ['', `F NotManaged, ${none}, F NotProgressing`],
    ['unmanaged', `F NotManaged, ${none}, F NotProgressing`],
    ['registering', `F Registering, ${none}, T Registering`],
    ['inspecting', `T Manageable, ${none}, T Inspecting`],
    ['match profile', `T Manageable, ${none}, T Inspecting`],
    ['preparing', `T Manageable, ${none}, T Preparing`],
    ['provisioning', `T Manageable, ${none}, T Provisioning`],
    ['deprovisioning', `T Manageable, ${none}, T Deprovisioning`],
    ['powering off before delete', `T Manageable, ${none}, T PoweringOffBeforeDelete`],
    ['deleting', `T Manageable, ${none}, T Deleting`],
    ['available', 'T Manageable, T Available, F NotProvisioned, F NotProvisioned, F NotProgressing'],
    ['ready', 'T Manageable, T Available, F NotProvisioned, F NotProvisioned, F NotProgressing'],
    ['provisioned', 'T Manageable, F NotAvailable, T Provisioned, T Provisioned, F NotProgressing'],
    ['externally provisioned', 'T Manageable, F NotAvailable, T Provisioned, T Provisioned, F NotProgressing'],
  ])('in "%s" are %s', (state, expected) => expect(short(computed(statusIn(state)), ...all)).toBe(expected));

  it('come in one order, each with the generation and an empty message', () => {
    const conditions = computed(statusIn('provisioned'));
    expect(conditions.map(({ type }) => type)).toEqual([
      ...['Ready', 'AvailableForProvisioning', 'Healthy', 'Manageable', 'Progressing', 'Provisioned'],
    ]);
    expect(conditions.every(({ observedGeneration, message }) => observedGeneration === 7 && message === '')).toBe(
      true,
    );
  });

  it.each<[string, string, string]>([
    ['provisioned', 'error', 'F Error, T Manageable, F NotProgressing, T Provisioned'],
    ['provisioned', 'servicing', 'F Servicing, T Manageable, F NotProgressing, T Provisioned'],
    ['provisioned', 'detached', 'F Detached, T Manageable, F Detached, T Provisioned'],
    ['inspecting', 'detached', 'F Detached, T Manageable, F Detached, F NotProvisioned'],
    ['inspecting', 'error', 'F Error, T Manageable, T Inspecting, F NotProvisioned'],
    ['inspecting', 'delayed', 'F NotProvisioned, T Manageable, T Inspecting, F NotProvisioned'],
    ['available', 'delayed', 'F NotProvisioned, T Manageable, F NotProgressing, F NotProvisioned'],
    ['registering', 'error', 'F Error, F RegistrationFailed, T Registering, F NotProvisioned'],
    ['unmanaged', 'discovered', 'F NotProvisioned, F NotManaged, F NotProgressing, F NotProvisioned'],
  ])('in %s that is %s are overlaid: %s', (state, standing, expected) => {
    const conditions = computed(statusIn(state, standing));
    expect(short(conditions, 'Ready', 'Manageable', 'Progressing', 'Provisioned')).toBe(expected);
  });

  it.each(['', 'unmanaged', 'registering', 'deleting'])('know of no power failure in "%s"', (state) => {
    expect(checksPowerFailure(statusIn(state))).toBe(false);
    expect(short(computed(statusIn(state), { powerFailure: true }), 'Manageable')).not.toContain('PowerFailure');
  });

  it.each(['inspecting', 'preparing', 'available', 'provisioned', 'deprovisioning', 'powering off before delete'])(
    'show a power failure in "%s", but not of a detached host',
    (state) => {
      expect(checksPowerFailure(statusIn(state))).toBe(true);
      expect(short(computed(statusIn(state), { powerFailure: true }), 'Manageable')).toBe('F PowerFailure');
      expect(checksPowerFailure(statusIn(state, 'detached'))).toBe(false);
      expect(short(computed(statusIn(state, 'detached'), { powerFailure: true }), 'Manageable')).toBe('T Manageable');
    },
  );

  it.each([
    ['OK', 'T Healthy'],
    ['Warning', 'F Warning'],
    ['Critical', 'F CriticalError'],
    ['Smouldering', 'U Unknown'],
    ['', 'U Unknown'],
  ])('say of the health "%s": %s', (health, expected) => {
    expect(short(computed(statusIn('available'), { health }), 'Healthy')).toBe(expected);
  });

  it('keep the health that was known when none is told', () => {
    const known = computed(statusIn('available'), { health: 'Warning', now: '2026-01-01T00:00:00Z' });
    expect(short(computed(statusIn('available', 'OK', known)), 'Healthy')).toBe('F Warning');
  });

  it('move their time only when their status changes, not with the reason', () => {
    const before = computed(statusIn('inspecting'), { now: '2026-01-01T00:00:00Z' });
    const after = computed(statusIn('provisioned', 'error', before));
    const moved = after.filter(({ lastTransitionTime }) => lastTransitionTime === now).map(({ type }) => type);
    expect(moved).toEqual(['Progressing', 'Provisioned']);
    expect(short(after, 'Ready')).toBe('F Error');
  });

  it('are the same again when nothing has changed', () => {
    const once = computed(statusIn('provisioned', 'error'), { powerFailure: true });
    expect(computed(statusIn('provisioned', 'error', once), { powerFailure: true, now: 'later' })).toEqual(once);
  });

  it('leave those of others where they are', () => {
    const foreign = { type: 'Reserved', status: 'True', reason: 'x', message: 'y', lastTransitionTime: now } as const;
    expect(computed(statusIn('available', 'OK', [foreign as Condition])).at(-1)).toEqual(foreign);
  });

  it('tell what is waited for in the message of Progressing alone', () => {
    const told = computed(statusIn('preparing'), { trouble: 'Ironic is away' }).filter(({ message }) => message !== '');
    expect(told.map(({ type, message }) => [type, message])).toEqual([['Progressing', 'Ironic is away']]);
  });
});
