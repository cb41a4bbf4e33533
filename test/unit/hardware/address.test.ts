import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accessDetails, BMCAddressError, parseAddress } from '../../../src/hardware/index.js';
import { isIPv4, isIPv6 } from '../../../src/hardware/hostname.js';
import { isIP } from 'node:net';

function problemOf(address: string): BMCAddressError {
  try {
    accessDetails(address);
  } catch (error) {
    if (error instanceof BMCAddressError) return error;
    throw error;
  }
  throw new Error(`${address} is accepted`);
}

describe('a BMC address', () => {
  it.each([
    ['192.168.122.1', 'ipmi', '192.168.122.1', ''],
    ['my.bmc.com', 'ipmi', 'my.bmc.com', ''],
    ['192.168.122.1:6233', 'ipmi', '192.168.122.1', '6233'],
    ['[fe80::1]:6233', 'ipmi', 'fe80::1', '6233'],
    ['ipmi://192.168.122.1:6233', 'ipmi', '192.168.122.1', '6233'],
    ['ipmi:192.168.122.1:6233', 'ipmi', '192.168.122.1', '6233'],
    ['ipmi:192.168.122.1', 'ipmi', '192.168.122.1', ''],
    ['redfish:192.168.122.1', 'redfish', '192.168.122.1', ''],
    ['REDFISH://h.example', 'redfish', 'h.example', ''],
    ['ipmi://[fe80::1]', 'ipmi', 'fe80::1', ''],
    ['redfish+http://user:pw@10.0.0.5:8000/x', 'redfish+http', '10.0.0.5', '8000'],
    ['ipmi://h:', 'ipmi', 'h', ''],
  ])('%s names a %s BMC at %s, port "%s"', (address, type, hostname, port) => {
    expect(accessDetails(address)).toMatchObject({ type, hostname, port });
  });

  it.each([
    ['', 'BMC_ADDRESS_MISSING'],
    ['[fe80::1]', 'BMC_ADDRESS_UNPARSABLE'],
    ['my-.examplehost.com', 'BMC_HOST_INVALID'],
    ['[fe80::fc33:62ff:fe33:8xff]:6223', 'BMC_HOST_INVALID'],
    ['foo://1.2.3.4', 'BMC_TYPE_UNKNOWN'],
    ['ipmi//192.0.2.10', 'BMC_ADDRESS_UNPARSABLE'],
    ['myhost:623', 'BMC_TYPE_UNKNOWN'],
    ['<ipmi://192.168.122.1:6233>', 'BMC_ADDRESS_UNPARSABLE'],
    ['ipmi://h:abc', 'BMC_ADDRESS_UNPARSABLE'],
    ['ipmi://[fe80::1%25eth0]', 'BMC_HOST_INVALID'],
    ['ipmi://my_host', 'BMC_HOST_INVALID'],
    ['ipmi://1 2', 'BMC_HOST_INVALID'],
    ['ipmi://h/%zz', 'BMC_ADDRESS_UNPARSABLE'],
    ['1.2.3.4:623/x', 'BMC_ADDRESS_UNPARSABLE'],
    ['ipmi://h\n', 'BMC_ADDRESS_UNPARSABLE'],
    ['1.2.3.4:abc', 'BMC_HOST_INVALID'],
  ])('%j is refused: %s', (address, code) => {
    expect(problemOf(address).code).toBe(code);
  });

  it('gives the reason of the parser and the prefix that people look for', () => {
    expect(problemOf('<ipmi://192.168.122.1:6233>').message).toMatch(
      /^failed to parse BMC address information: .*first path segment in URL cannot contain colon$/,
    );
    expect(problemOf('').message).toBe('missing BMC address');
    expect(problemOf('foo://1.2.3.4').message).toContain('foo');
  });

  it('shows no user information in an error', () => {
    for (const address of ['foo://admin:hush@h', 'ipmi://admin:hush@h:x', '1admin:hush@h', 'ipmi://ad^min:hush@h']) {
      expect(problemOf(address).message).not.toContain('hush');
    }
  });

  it('keeps dot segments and decodes the path', () => {
    expect(parseAddress('redfish://h/a/../b%20c?x=1#f')).toMatchObject({ path: '/a/../b c', query: 'x=1' });
  });

  it('either parses or fails with its own error, whatever is typed', () => {
    const piece = fc.constantFrom(
      'ipmi',
      'redfish+http',
      ':',
      '/',
      '//',
      '[',
      ']',
      '@',
      '%',
      '%41',
      '?',
      '#',
      '1.2.3.4',
      'fe80::1',
      '623',
      'é',
      ' ',
    );
    const address = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(address, (text) => {
        try {
          expect(accessDetails(text).driver).not.toBe('');
        } catch (error) {
          expect(error).toBeInstanceOf(BMCAddressError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('survives a round trip of scheme, host and port', () => {
    const host = fc.oneof(
      fc.ipV4(),
      fc.ipV6().map((ip) => `[${ip}]`),
      fc.constant('bmc-1.example.com'),
    );
    fc.assert(
      fc.property(
        fc.constantFrom('ipmi', 'redfish', 'idrac-virtualmedia+http'),
        host,
        fc.nat(65535),
        (type, h, port) => {
          const details = parseAddress(`${type}://${h}:${port}/p`);
          expect(details).toMatchObject({ type, host: `${h}:${port}`, port: String(port), path: '/p' });
        },
      ),
    );
  });
});

describe('IP literals', () => {
  it('are told as Node tells them', () => {
    const near = fc.array(
      fc.constantFrom('0', '1', 'ff', '::', ':', '.', '255', '256', '1.2.3.4', 'g', '01', '12345'),
      { maxLength: 9 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV4(),
          fc.ipV6(),
          near.map((parts) => parts.join('')),
        ),
        (text) => {
          expect([isIPv4(text), isIPv6(text)]).toEqual([isIP(text) === 4, isIP(text) === 6]);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
