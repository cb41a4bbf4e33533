/** URLs that somebody else is to fetch from, and why not. */

export const badURLs: [string, RegExp][] = [
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

export const goodURLs = [
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
