import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseFaults, parseFaultYaml } from '../../../../src/embedded/ironic/fault-schema.js';

describe('a fault file', () => {
  it.each([
    ['rules.0.fail.step', { rules: [{ fail: { step: 'fly' } }] }],
    ['rules.0.fail.percentage', { rules: [{ fail: { step: 'clean', percentage: 101 } }] }],
    ['rules.0.fail.times', { rules: [{ fail: { step: 'clean', times: 2, always: true } }] }],
    ['rules.1.slow', { rules: [{ slow: 2 }, { slow: -1 }] }],
    ['rules.0.slow.state', { rules: [{ slow: { state: 'sleeping', factor: 2 } }] }],
    ['rules.0.slow.factor', { rules: [{ slow: { state: 'cleaning' } }] }],
    ['rules.0.credentials.password', { rules: [{ credentials: { username: 'a' } }] }],
    ['rules.0: has no effect', { rules: [{ match: { name: 'a' } }] }],
    ['colour', { rules: [], colour: 1 }],
    ['api.0', { api: [{ status: 503, hang: true }] }],
    ['api.0.status', { api: [{ status: 200 }] }],
  ])('names %s when that is wrong', (field, input) => {
    let text = '';
    try {
      parseFaults(input);
    } catch (error) {
      text = (error as Error).message;
    }
    expect(text).toMatch(/^faults/);
    expect(text).toContain(field);
  });

  it('says the line of what is no YAML', () => {
    expect(() => parseFaultYaml('rules:\n  - [')).toThrow(/is no YAML \(line \d+\)/);
  });

  it('may be empty', () => expect(parseFaultYaml('')).toEqual({ rules: [], api: [] }));

  it('is as the documentation shows it', () => {
    const page = readFileSync(new URL('../../../../docs/faults.md', import.meta.url), 'utf8');
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const faults = parseFaultYaml(example);
    expect(faults.rules.length).toBeGreaterThan(3);
    expect(faults.api.length).toBeGreaterThan(0);
  });
});
