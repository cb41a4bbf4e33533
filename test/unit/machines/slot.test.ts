import { describe, expect, it } from '@jest/globals';
import { mayNeedSlot, newDraft } from '../../../machines/index.js';
import { credentialsAt, hostFrom, statusFrom } from '../../support/chart-step.js';
import { aHost, type HostBuilder } from '../../support/host-builder.js';

const detached = (value: string) => ({ 'baremetalhost.metal3.io/detached': value });
const delayed = detached('{"deleteAction":"delay"}');

function needs(builder: HostBuilder, known: { secret?: string; haveCredentials?: boolean } = {}): boolean {
  const { secret = '1', haveCredentials = true } = known;
  const observed = {
    ...{ host: hostFrom(builder), haveCredentials, profile: { name: 'unknown', hints: {} }, now: 0 },
    ...{ credentials: haveCredentials ? credentialsAt(secret) : {}, slot: { kind: 'notNeeded' } as const },
    ...{ architecture: 'x86_64', firmware: { isIncomplete: false }, dataImage: undefined },
    ...{ preprovisioningImage: undefined, maxProvisioningRetries: 5 },
  };
  return mayNeedSlot({ observed, draft: newDraft(statusFrom(builder)) });
}

describe('a slot', () => {
  it.each<[string, HostBuilder, boolean]>([
    ['in each state that keeps the back end busy: inspecting', aHost().in('inspecting'), true],
    ['… provisioning', aHost().in('provisioning'), true],
    ['… deprovisioning', aHost().in('deprovisioning'), true],
    ['also in a deletion', aHost().in('provisioning').deleted(), true],
    ['to be inspected again', aHost().in('available').withoutImage().annotated({ 'inspect.metal3.io': '' }), true],
    ['to be provisioned', aHost().in('available'), true],
    ['… under the old name too', aHost().in('ready'), true],
    ['to be deprovisioned', aHost().in('provisioned').withoutImage(), true],
    ['to be deprovisioned in a deletion', aHost().in('provisioned').deleted(), true],
    ['not to rest', aHost().in('available').withoutImage(), false],
    ['not to rest with its image', aHost().in('provisioned'), false],
    ['not to be prepared', aHost().in('preparing'), false],
    ['not to be powered off', aHost().in('powering off before delete').deleted(), false],
    ['not to be let go', aHost().in('deprovisioning').deleted().annotated(detached('')), false],
    [
      'not to leave registration when inspection is off',
      aHost().in('registering').spec({ inspectionMode: 'disabled' }),
      false,
    ],
    ['not for others to provision it', aHost().in('registering').spec({ externallyProvisioned: true }), false],
    ['not for a deletion that starts with no work', aHost().in('available').deleted(), false],
    ['for the work that a delayed deletion waits for', aHost().in('registering').deleted().annotated(delayed), true],
  ])('is needed %s', (_why, builder, expected) => expect(needs(builder)).toBe(expected));

  it('is not held for a registration whose credentials are not proven yet', () => {
    expect(needs(aHost().in('registering'))).toBe(true);
    expect(needs(aHost().in('registering'), { secret: '2' })).toBe(false);
  });

  it('is needed to go on without credentials, since nothing is registered then', () => {
    const builder = aHost().in('registering').deleted().annotated(delayed);
    expect(needs(builder, { haveCredentials: false })).toBe(true);
  });
});
