import { describe, expect, it } from '@jest/globals';
import {
  detachRequest,
  hasBaseReboot,
  isInspectionDisabled,
  isInspectionRequested,
  isRebootedAlready,
  isRebootForced,
  rebootRequest,
  suffixedReboots,
} from '../../../machines/host.annotations.js';

const host = (annotations?: Record<string, string>, spec: object = {}) =>
  ({ metadata: { name: 'host', annotations }, spec: { online: true, ...spec } }) as never;
const base = 'reboot.metal3.io';

describe('reboot annotations', () => {
  it.each<[string, Record<string, string>, boolean, { requested: boolean; mode: string }]>([
    ['none', {}, false, { requested: false, mode: 'soft' }],
    ['an empty one', { [base]: '' }, false, { requested: true, mode: 'soft' }],
    ['an empty object', { [base]: '{}' }, false, { requested: true, mode: 'soft' }],
    ['a hard one', { [base]: '{"mode":"hard"}' }, false, { requested: true, mode: 'hard' }],
    ['a soft one', { [base]: '{"mode":"soft"}' }, false, { requested: true, mode: 'soft' }],
    ['an unknown mode', { [base]: '{"mode":"brutal"}' }, false, { requested: true, mode: 'soft' }],
    ['a suffixed one', { [`${base}/client`]: '' }, false, { requested: true, mode: 'soft' }],
    ['hard beside soft', { [base]: '', [`${base}/a`]: '{"mode":"hard"}' }, false, { requested: true, mode: 'hard' }],
    [
      'a key that only looks alike',
      { [`${base}x`]: '', 'reboot.metal3': '' },
      false,
      { requested: false, mode: 'soft' },
    ],
    [
      'a wrongly typed force beside hard',
      { [base]: '{"mode":"hard","force":"yes"}' },
      false,
      { requested: true, mode: 'hard' },
    ],
    ['one with names in another case', { [base]: '{"Mode":"hard"}' }, false, { requested: true, mode: 'hard' }],
    ['a forced one in another case', { [base]: '{"FORCE":true}' }, true, { requested: true, mode: 'soft' }],
    ['null', { [base]: 'null' }, false, { requested: true, mode: 'soft' }],
    ['an unforced one, where force is needed', { [base]: '{"mode":"hard"}' }, true, { requested: false, mode: 'soft' }],
    ['a forced one, where force is needed', { [base]: '{"force":true}' }, true, { requested: true, mode: 'soft' }],
    [
      'a hard one that does not count beside a forced one',
      { [base]: '{"mode":"hard"}', [`${base}/a`]: '{"force":true}' },
      true,
      { requested: true, mode: 'soft' },
    ],
    ['bad JSON, where force is needed', { [base]: '{' }, true, { requested: false, mode: 'soft' }],
  ])('ask for what they say: %s', (_what, annotations, expectForce, wanted) => {
    expect(rebootRequest(host(annotations), expectForce)).toMatchObject(wanted);
  });

  it.each(['{', 'hard', 'true', '[]', '"hard"', '{"mode":"hard"', '{"force":"true"}', '{"mode":1}'])(
    'name the key of the bad value %s',
    (value) => {
      const request = rebootRequest(host({ [base]: value, [`${base}/good`]: '{"mode":"hard"}' }), false);
      expect(request).toEqual({ requested: true, mode: 'hard', invalid: [base] });
    },
  );

  it.each(['', '{}', 'null', '{"mode":null,"force":false}', '{"by":1}'])('are in order with the value %j', (value) => {
    expect(rebootRequest(host({ [base]: value }), false).invalid).toEqual([]);
  });

  it('force only when they say so', () => {
    expect(isRebootForced(host({ [base]: '{"force":true}' }))).toBe(true);
    expect(isRebootForced(host({ [base]: '{"force":1}' }))).toBe(false);
    expect(isRebootForced(host())).toBe(false);
  });

  it('are one-shot only under the plain key', () => {
    expect(hasBaseReboot(host({ [base]: '' }))).toBe(true);
    expect(hasBaseReboot(host({ [`${base}/a`]: '' }))).toBe(false);
  });

  it('of clients count as answered until something about them changes', () => {
    const first = { [`${base}/a`]: '', [`${base}/b`]: '{"mode":"hard"}' };
    const answered = { 'ironchart.io/rebooted': suffixedReboots(host(first)) };
    expect(isRebootedAlready(host(first))).toBe(false);
    expect(isRebootedAlready(host({ ...first, ...answered }))).toBe(true);
    const reversed = Object.fromEntries(Object.entries(first).reverse());
    expect(isRebootedAlready(host({ ...reversed, ...answered }))).toBe(true);
    expect(isRebootedAlready(host({ ...first, [`${base}/a`]: '{}', ...answered }))).toBe(false);
    expect(isRebootedAlready(host({ ...first, [`${base}/c`]: '', ...answered }))).toBe(false);
    expect(isRebootedAlready(host({ ...first, [base]: '', ...answered }))).toBe(false);
    expect(suffixedReboots(host({ [base]: '' }))).toBe('');
  });
});

describe('the inspect annotation', () => {
  it.each<[string, Record<string, string> | undefined, object, boolean, boolean]>([
    ['is absent', undefined, {}, false, false],
    ['is empty', { 'inspect.metal3.io': '' }, {}, false, true],
    ['says disabled', { 'inspect.metal3.io': 'disabled' }, {}, true, false],
    ['says anything else', { 'inspect.metal3.io': 'Disabled' }, {}, false, true],
    ['is absent, and the spec disables', undefined, { inspectionMode: 'disabled' }, true, false],
    ['is empty, and the spec disables', { 'inspect.metal3.io': '' }, { inspectionMode: 'disabled' }, true, true],
    ['is absent, and the spec asks for an agent', undefined, { inspectionMode: 'agent' }, false, false],
  ])('%s', (_what, annotations, spec, isDisabled, isRequested) => {
    expect(isInspectionDisabled(host(annotations, spec))).toBe(isDisabled);
    expect(isInspectionRequested(host(annotations, spec))).toBe(isRequested);
  });
});

describe('the detached annotation', () => {
  const key = 'baremetalhost.metal3.io/detached';
  it.each<[string, boolean, boolean]>([
    ['', false, false],
    ['{}', false, false],
    ['{"force":true}', true, false],
    ['{"force":"true"}', false, false],
    ['{"deleteAction":"delay"}', false, true],
    ['{"deleteAction":"delete"}', false, false],
    ['{"deleteAction":"delay","force":true}', true, true],
    ['true', false, false],
    ['{"deleteAction":"delay","force":"yes"}', false, false],
    ['{"deleteAction":1,"force":true}', false, false],
    ['{"deleteAction":null,"force":true}', true, false],
    ['{"DeleteAction":"delay","Force":true}', true, true],
    ['null', false, false],
    ['{"deleteAction":"delay"', false, false],
  ])('%s forces: %s; delays the deletion: %s', (value, force, delaysDeletion) => {
    for (const isDetached of [true, false]) {
      expect(detachRequest(host({ [key]: value }), isDetached)).toEqual({ present: true, force, delaysDeletion });
    }
  });

  it('delays the deletion of a detached host by its absence', () => {
    expect(detachRequest(host(), true)).toEqual({ present: false, force: false, delaysDeletion: true });
    expect(detachRequest(host(), false)).toEqual({ present: false, force: false, delaysDeletion: false });
  });
});
