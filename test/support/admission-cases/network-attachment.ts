/** Cases of HostNetworkAttachment. */
import type { HostView } from '../../../src/webhooks/rules/index.js';
import { host, objectOf, type Wish } from '../admission.js';
import { type AdmissionCase, change, creation, deletion, eitherWay } from './admission-case.js';

const plain = { mode: 'trunk', nativeVLAN: 1 };
const attachment = (spec: object, more: Wish = {}) =>
  objectOf('HostNetworkAttachment', { name: 'net', spec: { ...plain, ...spec }, ...more });
const vlans = (...allowedVLANs: string[]) => attachment({ allowedVLANs });
const using = (name: string, used: object, namespace = 'ns') =>
  host({ name, namespace, spec: { networkInterfaces: [{ name: 'eth0', hostNetworkAttachment: used }] } }) as HostView;
const remote = host({
  ...{ name: 'host2', namespace: 'far' },
  spec: {
    networkInterfaces: [{ macAddress: 'aa:bb:cc:dd:ee:ff', hostNetworkAttachment: { name: 'net', namespace: 'ns' } }],
  },
}) as HostView;

const user = [using('host1', { name: 'net' })];
const others = [using('h', { name: 'other' }), using('h', { name: 'net' }, 'elsewhere'), host({ name: 'bare' })];
const grown = [attachment({}), attachment({ mtu: 9000 })] as const;
const named = /ns\/host1\[eth0\]$/;
const bothNamed = /ns\/host1\[eth0\], far\/host2\[aa:bb:cc:dd:ee:ff\]$/;
const broken = { mode: 'access', allowedVLANs: ['0'] };

const isNoRange = /spec\.allowedVLANs\[1\]: Invalid value: .* should match '\^/;
const badVLANs: [string, RegExp, earlier?: RegExp][] = [
  ['0', /not between 1 and 4094/],
  ['4095', /not between 1 and 4094/],
  ['1-5000', /5000 is not between/],
  ['200-100', /must begin below/],
  ['100-100', /must begin below/],
  ['abc', /"abc" is no number/, isNoRange],
  ['10-abc', /"abc" is no number/, isNoRange],
  ['', /is no number/, isNoRange],
];

export const networkAttachmentCases: readonly AdmissionCase[] = [
  ...eitherWay('with VLANs and ranges of them', vlans('10', '20-30', '1-4094'), plain),
  ...eitherWay('in mode access, with no VLANs', attachment({ mode: 'access', allowedVLANs: [] }), plain),
  ...eitherWay('in mode access, with VLANs', attachment({ mode: 'access', allowedVLANs: ['200'] }), plain, [
    /^spec\.allowedVLANs: .*access/,
  ]),
  ...badVLANs.flatMap(([entry, message, earlier]) =>
    eitherWay(
      `with the VLAN ${JSON.stringify(entry)}`,
      vlans('10', entry),
      plain,
      [new RegExp(`^spec\\.allowedVLANs\\[1\\]: .*${message.source}`)],
      { earlier },
    ),
  ),
  change('that no host uses', grown, [], { hosts: others }),
  change('that a host uses', grown, [named], { hosts: user }),
  change('that hosts of two namespaces use', grown, [bothNamed], { hosts: [...user, remote] }),
  change('of labels, used and broken', [attachment(broken), attachment(broken, { labels: { a: 'b' } })], [], {
    hosts: user,
  }),
  change('to an empty list of VLANs, used', [attachment({}), attachment({ allowedVLANs: [] })], [], { hosts: user }),
  change('to a VLAN that is none, used', [attachment({}), vlans('0')], [/not between/], { hosts: user }),
  change('while the hosts are not known', grown, [/^spec: .*try again/], { hosts: 'unknown' }),
  creation('while the hosts are not known', attachment({}), [], { hosts: 'unknown' }),
  deletion('of one that no host uses', attachment({}), [], { hosts: others, warnings: [] }),
  deletion('of one that hosts use', attachment({}), [bothNamed], { hosts: [...user, remote], warnings: [bothNamed] }),
  deletion('while the hosts are not known', attachment({}), [/^spec: .*try again/], { hosts: 'unknown' }),
];
