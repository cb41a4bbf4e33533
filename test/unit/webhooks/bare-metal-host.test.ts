import { describe, expect, it } from '@jest/globals';
import type { HostView } from '../../../src/webhooks/rules/index.js';
import { ask, host, onCreate, type Wish } from '../../support/admission.js';
import { bmc, image, ipmi, mac, redfish } from '../../support/admission-cases/host-wishes.js';

describe('a BareMetalHost', () => {
  it('without a spec is allowed', () => {
    expect(onCreate({ ...host(), spec: undefined } as never)).toEqual([]);
  });
});

describe('warnings', () => {
  const warned = (wish: Wish, hosts: object[] = []) =>
    ask('CREATE', host(wish), undefined, { hosts: hosts as HostView[] }).warnings;

  it('are few: a good host gets none', () => {
    expect(warned({ spec: { ...redfish, ...mac, image } }, [host({ name: 'b', spec: ipmi })])).toEqual([]);
  });

  it('tell of md5, and of an algorithm that has to be guessed', () => {
    expect(warned({ spec: { image: { ...image, checksumType: 'md5' } } })).toEqual([expect.stringMatching(/md5/)]);
    expect(warned({ spec: { image: { url: image.url, checksum: 'c' } } })).toEqual([expect.stringMatching(/guessed/)]);
    expect(warned({ spec: { image: { ...image, checksumType: 'auto' } } })).toEqual([]);
  });

  it('tell of a MAC address and a BMC that another host has, and name it only within the namespace', () => {
    const wish = { spec: { ...ipmi, bootMACAddress: 'AA:BB:CC:DD:EE:FF' } };
    const twin = { ...ipmi, ...mac };
    expect(warned(wish, [host({ name: 'b', spec: twin })])).toEqual([
      expect.stringMatching(/^spec.bootMACAddress: .*the host b/),
      expect.stringMatching(/^spec.bmc.address: .*the host b/),
    ]);
    expect(warned(wish, [host({ name: 'secret', namespace: 'theirs', spec: mac })])).toEqual([
      expect.stringMatching(/^spec.bootMACAddress: .*another namespace/),
    ]);
    expect(warned(wish, [host(wish)])).toEqual([]);
    expect(ask('CREATE', host(wish)).warnings).toEqual([]);
  });

  it('tell of a BMC that would be the machine of Ironic itself, and of retired fields', () => {
    for (const address of ['ipmi://127.0.0.1', 'redfish://localhost/x', 'ipmi://169.254.169.254', 'ipmi://[::1]:623']) {
      expect(warned({ spec: bmc(address) })).toEqual([expect.stringMatching(/^spec.bmc.address: /)]);
    }
    expect(warned({ spec: { hardwareProfile: 'dell' } })).toEqual([expect.stringMatching(/^spec.hardwareProfile: /)]);
  });
});
