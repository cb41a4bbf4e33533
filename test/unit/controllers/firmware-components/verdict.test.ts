import { describe, expect, it } from '@jest/globals';
import { judgeUpdates, updatesFindings } from '../../../../src/controllers/firmware-components/verdict.js';

const update = (component: string, version = 1) => ({ component, url: `http://images.example.com/${version}` });
const [bios, bmc] = [update('bios'), update('bmc')];

describe('wanted updates', () => {
  it('are a change when they are not those that were begun, in the same order', () => {
    expect(judgeUpdates([], []).isChanged).toBe(false);
    expect(judgeUpdates([bios, bmc], [bios, bmc]).isChanged).toBe(false);
    expect(judgeUpdates([bios, bmc], [bmc, bios]).isChanged).toBe(true);
    expect(judgeUpdates([update('bios', 2)], [bios]).isChanged).toBe(true);
    expect(judgeUpdates([], [bios]).isChanged).toBe(true);
  });

  it.each(['bios', 'bmc', 'nic:', 'nic:NIC.1'])('may be of %s', (component) => {
    expect(judgeUpdates([update(component)], []).problem).toBeUndefined();
  });

  it.each(['BIOS', 'bmc2', 'nic', 'psu', ''])('may not be of %p, and the first of them is named', (component) => {
    const { problem } = judgeUpdates([bios, update(component), update('other')], []);
    expect(problem).toContain(JSON.stringify(component));
    expect(problem).not.toContain('other');
  });

  it('are not judged again once they were begun', () => {
    expect(judgeUpdates([update('psu')], [update('psu')])).toEqual({ isChanged: false, problem: undefined });
  });

  it('are told of in the words that clients know', () => {
    expect(updatesFindings({ isChanged: true, problem: 'no' })).toEqual([
      { type: 'ChangeDetected', status: 'True', reason: 'OK' },
      { type: 'Valid', status: 'False', reason: 'InvalidComponent', message: 'no' },
    ]);
    expect(updatesFindings({ isChanged: false, problem: undefined })).toEqual([
      { type: 'ChangeDetected', status: 'False', reason: 'OK' },
      { type: 'Valid', status: 'True', reason: 'OK' },
    ]);
  });
});
