import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRange, requestedVersion } from '../../../../src/embedded/ironic/microversion.js';

const notAcceptable = expect.objectContaining({ status: 406 }) as unknown as Error;
const range = { min: 1, max: 115 };

describe('the version of a request', () => {
  it('is the asked one within the range and 406 outside', () => {
    fc.assert(
      fc.property(fc.nat(400), (minor) => {
        const ask = () => requestedVersion({ 'x-openstack-ironic-api-version': `1.${minor}` }, range);
        if (minor >= 1 && minor <= 115) expect(ask()).toBe(minor);
        else expect(ask).toThrow(notAcceptable);
      }),
    );
  });

  it('is the oldest when none is asked, the newest for latest', () => {
    expect(requestedVersion({}, range)).toBe(1);
    expect(requestedVersion({ 'x-openstack-ironic-api-version': 'latest' }, range)).toBe(115);
  });

  it('may come in the header that all services share', () => {
    expect(requestedVersion({ 'openstack-api-version': 'baremetal 1.89' }, range)).toBe(89);
    expect(requestedVersion({ 'openstack-api-version': 'compute 2.1' }, range)).toBe(1);
  });

  it.each(['abc', '1', '1.x', '', '2.1'])('is 406 for %j', (text) => {
    expect(() => requestedVersion({ 'x-openstack-ironic-api-version': text }, range)).toThrow(notAcceptable);
  });
});

describe('a configured range', () => {
  it('is filled up with the default', () => expect(parseRange({ max: '1.94' })).toEqual({ min: 1, max: 94 }));
  it('must not be empty', () => expect(() => parseRange({ min: '1.9', max: '1.8' })).toThrow(/microversions/));
});
