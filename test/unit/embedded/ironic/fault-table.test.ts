import { describe, expect, it } from '@jest/globals';
import { parseFaults, type FaultsInput } from '../../../../src/embedded/ironic/fault-schema.js';
import { FaultTable } from '../../../../src/embedded/ironic/fault-table.js';
import { createRecord } from '../../../../src/embedded/ironic/node-changes.js';
import { Stamps } from '../../../../src/embedded/ironic/stamps.js';
import { FakeClock } from '../../../support/fake-clock.js';

function table(faults: FaultsInput, chance = 0): FaultTable {
  const result = new FaultTable({ next: () => chance }, () => ['52:54:00:00:00:01']);
  result.set(parseFaults(faults));
  return result;
}

function host(name: string, uuid = '11111111-0000-4000-8000-000000000001') {
  const driver_info = { ipmi_address: '10.0.0.7', ipmi_username: 'admin', ipmi_password: 'pw' };
  return createRecord(1, { driver: 'ipmi', name, driver_info }, uuid, new Stamps(new FakeClock()));
}

describe('a rule', () => {
  it.each([
    [{ name: 'lab~web-*' }, true],
    [{ name: 'WEB-?' }, true],
    [{ name: 'web' }, false],
    [{ bmcAddress: '10.0.0.*' }, true],
    [{ bmcAddress: '10.0.1.*' }, false],
    [{ mac: '52:54:00:*' }, true],
    [{ name: 'web-1', mac: 'aa:*' }, false],
    [{}, true],
  ])('with match %j applies to lab~web-1: %s', (match, applies) => {
    const faults = table({ rules: [{ match, slow: 3 }] });
    expect(faults.slownessOf(host('lab~web-1'))).toBe(applies ? 3 : 1);
  });

  it('slows a single state, beside those that slow all', () => {
    const faults = table({ rules: [{ slow: 3 }, { slow: { state: 'clean wait', factor: 10 } }] });
    const node = host('a');
    expect(faults.slownessOf(node)).toBe(3);
    node.fields.provision_state = 'clean wait';
    expect(faults.slownessOf(node)).toBe(30);
  });

  it('counts its times for each host, and anew after it was set', () => {
    const rules: FaultsInput = { rules: [{ fail: { step: 'clean', times: 1 } }] };
    const faults = table(rules);
    const [one, other] = [host('a'), host('b', '11111111-0000-4000-8000-000000000002')];
    const due = () => [faults.take(one, 'clean') !== null, faults.take(other, 'clean') !== null];
    expect(due()).toEqual([true, true]);
    expect(due()).toEqual([false, false]);
    faults.set(parseFaults(rules));
    expect(due()).toEqual([true, true]);
  });

  it.each([
    [0.29, true],
    [0.3, false],
  ])('with 30 % fails for a chance of %d: %s', (chance, fails) => {
    const faults = table({ rules: [{ fail: [{ step: 'deploy', percentage: 30 }] }] }, chance);
    expect(faults.take(host('a'), 'deploy') !== null).toBe(fails);
    expect(faults.take(host('a'), 'clean')).toBeNull();
  });

  it('takes the given credentials alone', () => {
    const faults = table({ rules: [{ credentials: { username: 'admin', password: 'pw' } }] });
    const node = host('a');
    expect(faults.bmcOf(node).kind).toBe('ok');
    node.fields.driver_info['ipmi_password'] = 'other';
    expect(faults.bmcOf(node).kind).toBe('wrong-credentials');
  });
});
