import { describe, expect, it } from '@jest/globals';
import { proxyFor } from '../../../src/provisioner/ironic/client/proxy.js';

const settings = { httpProxy: 'http://plain.proxy:3128', httpsProxy: 'secure.proxy:3129', noProxy: '' };
const through = (url: string, noProxy = '') => proxyFor(new URL(url), { ...settings, noProxy })?.host;

describe('the proxy', () => {
  it('goes by the protocol, and may be named without its own', () => {
    expect(proxyFor(new URL('http://ironic:6385/v1/'), settings)?.href).toBe('http://plain.proxy:3128/');
    expect(proxyFor(new URL('https://ironic'), settings)?.href).toBe('http://secure.proxy:3129/');
  });

  it('is none where none is set', () => {
    expect(proxyFor(new URL('http://ironic'), undefined)).toBeUndefined();
    expect(proxyFor(new URL('http://ironic'), { ...settings, httpProxy: '' })).toBeUndefined();
  });

  it.each(['http://localhost:6385', 'http://127.0.0.1', 'http://127.1.2.3', 'http://[::1]:6385'])(
    'is never used for the computer itself: %s',
    (url) => expect(through(url)).toBeUndefined(),
  );

  it.each([
    ['http://ironic.metal.svc', '*'],
    ['http://ironic.metal.svc', 'a, .SVC ,b'],
    ['http://ironic.metal.svc', '*.svc'],
    ['http://ironic.metal.svc', 'metal.svc'],
    ['http://Ironic.example', 'ironic.example'],
    ['http://ironic.example:6385', 'ironic.example:6385'],
    ['https://ironic.example', 'ironic.example:443'],
    ['http://192.0.2.7', '192.0.2.0/24'],
    ['http://192.0.2.7:80', '192.0.2.7'],
    ['http://[2001:db8::7]', '2001:db8::7'],
    ['http://[2001:db8::7]:6385', '[2001:db8::7]:6385'],
    ['http://[2001:db8::7]', '2001:db8::/32'],
  ])('is not used for %s with the exemption %s', (url, noProxy) => {
    expect(through(url, noProxy)).toBeUndefined();
  });

  it.each([
    ['http://svc', '.svc'],
    ['http://notexample', 'example'],
    ['http://ironic.example:6385', 'ironic.example:80'],
    ['http://192.0.3.7', '192.0.2.0/24'],
    ['http://192.0.2.7', '2001:db8::/32'],
    ['http://192.0.2.7', '192.0.2.0/33'],
    ['http://192.0.2.7', '192.0.2.0/x'],
    ['http://ironic', ', ,'],
  ])('is used for %s in spite of the exemption %s', (url, noProxy) => {
    expect(through(url, noProxy)).toBe('plain.proxy:3128');
  });
});
