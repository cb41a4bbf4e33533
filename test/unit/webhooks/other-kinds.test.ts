import { describe, expect, it } from '@jest/globals';
import type { HostView } from '../../../src/webhooks/rules/index.js';
import { ask, host, objectOf, onCreate, onUpdate, type Wish } from '../../support/admission.js';

const badURLs: [string, RegExp][] = [
  ['abc', /is no URL/],
  ['unix://example.com', /has the scheme "unix"/],
  ['', /is no URL: it is empty/],
  ['file:///etc/passwd', /has the scheme "file"/],
  ['http://exa mple.com/x', /the host holds/],
  ['http://example.com:80a/x', /the port is no number/],
  ['http://example.com/%zz', /percent sign/],
  ['http://[::1/x', /bracket/],
  [':x', /the scheme is missing/],
  ['//a b/x', /has the scheme ""/],
  ['http://a%25b/x', /escape that is not allowed/],
  ['http://[::1%20]/', /escape that is not allowed/],
  ['http://exa\nmple.com', /control character/],
  ['http://a b@example.com/', /user information/],
];
const goodURLs = [
  'http://a/x',
  'HTTPS://a:8443/x',
  'ftp://u:p@a/x',
  'gopher://a/',
  'oci://',
  'http:///p',
  'http://a/b c',
  'http://[::1]:80/',
  'http://[fe80::1%25eth0]/',
  'http://a?q=%zz',
];

describe('DataImage', () => {
  const dataImage = (url: string) => objectOf('DataImage', { spec: { url } });

  it.each(badURLs)('is refused with the URL %j', (url, message) => {
    expect(onCreate(dataImage(url))).toEqual([expect.stringMatching(message)]);
    expect(onUpdate(dataImage(url), dataImage('http://a/x'))[0]).toMatch(/^spec\.url: /);
  });

  it.each(goodURLs)('is allowed with the URL %j, which may change', (url) => {
    expect(onCreate(dataImage(url))).toEqual([]);
    expect(onUpdate(dataImage(url), dataImage('http://a/other'))).toEqual([]);
  });

  it('never repeats a login of a URL', () => {
    for (const url of ['file://u:secret@a/x', 'http://u:secret @a/x', 'http://u:secret@a:x/', 'secret']) {
      expect(onCreate(dataImage(url)).join()).not.toContain('secret');
    }
  });
});

describe('HostFirmwareComponents', () => {
  const components = (...updates: object[]) => objectOf('HostFirmwareComponents', { spec: { updates } });

  it.each(badURLs)('is refused with the URL %j, and names the component', (url, message) => {
    const [first, ...more] = onCreate(components({ component: 'bios', url: 'http://a/x' }, { component: 'bmc', url }));
    expect(more).toEqual([]);
    expect(first).toMatch(/^spec\.updates\[1\]\.url: of component "bmc" /);
    expect(first).toMatch(message);
  });

  it('leaves the names of components to the controller, which knows those of the host', () => {
    expect(onCreate(components({ component: 'foo', url: 'https://a/x' }))).toEqual([]);
    expect(onCreate(components())).toEqual([]);
  });
});

describe('BMCEventSubscription', () => {
  const good = { hostName: 'h1', destination: 'http://listener.example/events' };
  const subscription = (spec: object, more: Wish = {}) => objectOf('BMCEventSubscription', { spec, ...more });
  const headers = (namespace?: string) => ({ ...good, httpHeadersRef: { name: 's', ...(namespace && { namespace }) } });

  it.each([
    ['all that it needs', good],
    ['headers of its own namespace', headers('ns')],
    ['a destination that is a path', { ...good, destination: '/x' }],
  ])('is allowed with %s', (_, spec) => {
    expect(onCreate(subscription(spec))).toEqual([]);
  });

  it.each([
    ['no host', { ...good, hostName: '' }, /^spec.hostName: is missing/],
    ['no destination', { hostName: 'h1' }, /^spec.destination: is missing/],
    ['a destination that is no URL', { ...good, destination: 'abc' }, /^spec.destination: is no URL/],
    ['a bare host without a slash', { ...good, destination: 'http://listener.example' }, /^spec.destination: .*slash/],
    ['headers of another namespace', headers('other'), /^spec.httpHeadersRef.namespace: is "other"/],
    ['headers of no namespace', headers(), /^spec.httpHeadersRef.namespace: is ""/],
  ])('is refused with %s', (_, spec, message) => {
    expect(onCreate(subscription(spec))).toEqual([expect.stringMatching(message)]);
  });

  it('tells everything that is missing at once', () => {
    expect(onCreate(subscription({}))).toHaveLength(2);
  });

  it('cannot be changed, but for its metadata and its status', () => {
    const before = subscription(headers('ns'));
    expect(onUpdate(subscription({ ...headers('ns'), context: 'c' }), before)).toEqual([
      expect.stringMatching(/^spec: /),
    ]);
    expect(onUpdate(subscription(headers('ns'), { finalizers: ['f'], status: { error: 'x' } }), before)).toEqual([]);
    const stored = subscription({ hostName: '' });
    expect(onUpdate(subscription({ hostName: '' }, { labels: { a: 'b' } }), stored)).toEqual([]);
  });
});

describe('HostClaim', () => {
  const claim = (spec: object, more: Wish = {}) =>
    objectOf('HostClaim', { spec: { poweredOn: true, ...spec }, ...more });
  const where = (operator: string, values: string[], key = 'rack') =>
    claim({
      hostSelector: {
        matchExpressions: [
          { key: 'first', operator: 'exists', values: [] },
          { key, operator, values },
        ],
      },
    });
  const at = 'spec.hostSelector.matchExpressions[1]';

  it.each([
    ['=', ['a']],
    ['==', ['']],
    ['!=', ['a']],
    ['in', ['a', 'b']],
    ['notin', ['a']],
    ['exists', []],
    ['!', []],
  ])('takes the operator %s with %j', (operator, values) => {
    expect(onCreate(where(operator, values))).toEqual([]);
  });

  it.each([
    ['=', [], `${at}.values: the operator = takes exactly one value, not 0`],
    ['!=', ['a', 'b'], `${at}.values: the operator != takes exactly one value, not 2`],
    ['in', [], `${at}.values: the operator in takes at least one value, not 0`],
    ['exists', ['vvv'], `${at}.values: the operator exists takes no values, not 1`],
    ['=', ['-vvv-'], `${at}.values[0]: "-vvv-"`],
    ['in', ['vvv', '-bad-'], `${at}.values[1]: "-bad-"`],
    ['badOp', ['a'], `${at}.operator: "badOp" for the label "rack"`],
    ['In', ['a'], `${at}.operator: "In"`],
    ['gt', ['1'], `${at}.operator: "gt"`],
    ['constructor', [], `${at}.operator: "constructor"`],
  ])('refuses the operator %s with %j', (operator, values, message) => {
    expect(onCreate(where(operator, values))).toEqual([expect.stringContaining(message)]);
  });

  it.each(['a/b/c', '-a', 'A.example/', 'UPPER.example/a', '', 'x'.repeat(64)])('refuses a label called %j', (key) => {
    expect(onCreate(where('exists', [], key))[0]).toMatch(`${at}.key: `);
  });

  it('checks the labels that must match', () => {
    const labels = (matchLabels: object) => onCreate(claim({ hostSelector: { matchLabels } }));
    expect(labels({ 'example.com/rack': '1', zone: '' })).toEqual([]);
    expect(labels({ '-a': '-b-' })).toHaveLength(2);
    expect(labels({ a: 'x'.repeat(64) })).toEqual([expect.stringMatching(/^spec\.hostSelector\.matchLabels: /)]);
  });

  it('checks image and reboots as on a host, and the same on a change', () => {
    const bad = claim({ image: { url: 'test1', checksum: 'c' } }, { annotations: { 'reboot.metal3.io': 'now' } });
    const messages = [expect.stringMatching(/\[reboot.metal3.io\]/), expect.stringMatching(/^spec.image.url: /)];
    expect(onCreate(bad)).toEqual(messages);
    expect(onUpdate(bad, claim({}))).toEqual(messages);
    const image = { url: 'https://a/x', checksum: 'c', checksumType: 'sha256' };
    expect(onCreate(claim({ image, userData: { name: 's', namespace: 'other' } }))).toEqual([]);
  });
});

describe('HostNetworkAttachment', () => {
  const attachment = (spec: object, more: Wish = {}) =>
    objectOf('HostNetworkAttachment', { name: 'net', spec: { mode: 'trunk', nativeVLAN: 1, ...spec }, ...more });
  const vlans = (...allowedVLANs: string[]) => attachment({ allowedVLANs });
  const using = (name: string, used: object, namespace = 'ns') =>
    host({ name, namespace, spec: { networkInterfaces: [{ name: 'eth0', hostNetworkAttachment: used }] } });
  const hosts = (...given: object[]) => ({ hosts: given as HostView[] });

  it('takes VLANs and ranges of them', () => {
    expect(onCreate(vlans('10', '20-30', '1-4094'))).toEqual([]);
    expect(onCreate(attachment({ mode: 'access', allowedVLANs: [] }))).toEqual([]);
  });

  it('has no VLANs with tags in mode access', () => {
    expect(onCreate(attachment({ mode: 'access', allowedVLANs: ['200'] }))).toEqual([
      expect.stringMatching(/^spec.allowedVLANs: .*access/),
    ]);
  });

  it.each([
    ['0', /not between 1 and 4094/],
    ['4095', /not between 1 and 4094/],
    ['1-5000', /5000 is not between/],
    ['200-100', /must begin below/],
    ['100-100', /must begin below/],
    ['abc', /"abc" is no number/],
    ['10-abc', /"abc" is no number/],
    ['', /is no number/],
  ])('refuses the VLAN %j', (entry, message) => {
    const found = onCreate(vlans('10', entry));
    expect(found).toEqual([expect.stringMatching(/^spec\.allowedVLANs\[1\]: /)]);
    expect(found[0]).toMatch(message);
  });

  it('may change while no host uses it', () => {
    const other = [using('h', { name: 'other' }), using('h', { name: 'net' }, 'elsewhere'), host({ name: 'bare' })];
    expect(onUpdate(attachment({ mtu: 9000 }), attachment({}), hosts(...other))).toEqual([]);
    expect(ask('DELETE', undefined, attachment({}), hosts(...other)).refusals).toEqual([]);
  });

  it('neither changes nor goes while hosts use it, and names them', () => {
    const byMAC = { macAddress: 'aa:bb:cc:dd:ee:ff', hostNetworkAttachment: { name: 'net', namespace: 'ns' } };
    const users = hosts(
      using('host1', { name: 'net' }),
      host({ name: 'host2', namespace: 'far', spec: { networkInterfaces: [byMAC] } }),
    );
    const list = 'ns/host1[eth0], far/host2[aa:bb:cc:dd:ee:ff]';
    expect(onUpdate(attachment({ mtu: 9000 }), attachment({}), users)).toEqual([expect.stringContaining(list)]);
    const deletion = ask('DELETE', undefined, attachment({}), users);
    expect(deletion.refusals).toEqual([expect.stringContaining(list)]);
    expect(deletion.warnings).toEqual([expect.stringContaining(list)]);
  });

  it('takes new labels though it is used, or broken', () => {
    const users = hosts(using('host1', { name: 'net' }));
    const broken = { mode: 'access', allowedVLANs: ['0'] };
    expect(onUpdate(attachment(broken, { labels: { a: 'b' } }), attachment(broken), users)).toEqual([]);
    expect(onUpdate(attachment({ allowedVLANs: [] }), attachment({}), users)).toEqual([]);
  });

  it('tells what is wrong before who uses it', () => {
    const users = hosts(using('host1', { name: 'net' }));
    expect(onUpdate(vlans('0'), attachment({}), users)).toEqual([expect.stringMatching(/not between/)]);
  });

  it('is refused when the hosts are not known', () => {
    expect(onUpdate(attachment({ mtu: 9000 }), attachment({}))).toEqual([expect.stringMatching(/try again/)]);
    expect(ask('DELETE', undefined, attachment({})).refusals).toEqual([expect.stringMatching(/try again/)]);
    expect(onCreate(attachment({}))).toEqual([]);
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
