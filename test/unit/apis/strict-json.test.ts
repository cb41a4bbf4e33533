import { describe, expect, it } from '@jest/globals';
import {
  asDeclared,
  bareMetalHostStatusSchema,
  hardwareDetailsSchema,
  readStrictJSON,
  toStructuralSchema,
} from '../../../src/apis/index.js';

describe('JSON of an annotation', () => {
  const read = (value: unknown) => readStrictJSON(JSON.stringify(value), hardwareDetailsSchema);

  it('is read under the names of the kind, in whatever case they are written, and without what is null', () => {
    const given = {
      Hostname: 'h',
      CPU: { ARCH: 'x86_64', flags: null },
      nics: [{ MAC: 'aa', pxe: null }],
      storage: null,
    };
    expect(read(given)).toEqual({ value: { hostname: 'h', cpu: { arch: 'x86_64' }, nics: [{ mac: 'aa' }] } });
  });

  it.each<[unknown, string]>([
    [{ colour: 'red' }, 'has a field that is not known, colour'],
    [{ cpu: { count: 'many' } }, 'cpu.count is not of type integer'],
    [{ nics: {} }, 'nics is no list'],
    [[], 'it is no object'],
  ])('is refused where it does not fit: %j', (given, problem) => {
    expect(read(given)).toEqual({ problem });
  });

  it('keeps a null that says something, and whatever may hold anything', () => {
    const schema = toStructuralSchema(bareMetalHostStatusSchema);
    const raid = { hardwareRAIDVolumes: null, softwareRAIDVolumes: [] };
    const snapshot = { value: { Pass: null }, context: { step: null } };
    const given = { ErrorMessage: 'x', Provisioning: { state: 'available', ID: 'n', RAID: raid, image: null } };
    expect(asDeclared({ ...given, lifecycle: { snapshot } }, schema)).toEqual({
      ...{ errorMessage: 'x', provisioning: { state: 'available', ID: 'n', raid } },
      lifecycle: { snapshot },
    });
  });

  it('keeps what the kind does not know', () => {
    const schema = toStructuralSchema(bareMetalHostStatusSchema);
    expect(asDeclared({ Later: { Odd: 1 }, gone: null }, schema)).toEqual({ Later: { Odd: 1 } });
  });
});
