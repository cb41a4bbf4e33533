import { describe, expect, it } from '@jest/globals';
import { objectOf, onCreate } from '../../support/admission.js';

describe('a refusal of a URL', () => {
  it('never repeats a login', () => {
    for (const url of ['file://u:secret@a/x', 'http://u:secret @a/x', 'http://u:secret@a:x/', 'secret']) {
      const refusals = onCreate(objectOf('DataImage', { spec: { url } }));
      expect(refusals).toHaveLength(1);
      expect(refusals.join()).not.toContain('secret');
    }
  });
});

describe('kinds without rules', () => {
  it.each(['HardwareData', 'HostFirmwareSettings', 'Secret'])('%s is always allowed', (kind) => {
    expect(onCreate(objectOf(kind, { spec: { any: 'thing' } }))).toEqual([]);
  });

  it('an object of the wrong shape is told by its field', () => {
    expect(() => onCreate(objectOf('DataImage', { spec: { url: 5 } }))).toThrow(/^spec\.url: /);
  });
});
