import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { loginOf } from '../../../../src/controllers/bare-metal-switch/login.js';
import { keyFiles, type SwitchEntry, switchConfigs } from '../../../../src/controllers/bare-metal-switch/rendering.js';
import { replay } from '../../../support/seed.js';

const folder = '/etc/ironic/switch-credentials';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const secret = (values: Record<string, string>) => ({
  metadata: { name: 'login' },
  data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)])),
});

const first: SwitchEntry = {
  name: 'rack-b',
  spec: { address: '192.0.2.2', macAddress: 'aa:bb:cc:dd:ee:02', deviceType: 'netmiko_cisco_ios' },
  login: { username: 'admin', proof: { password: 'p=w;#' }, adminPassword: '' },
};
const second: SwitchEntry = {
  name: 'rack-a',
  spec: {
    address: 'switch.example.com',
    macAddress: 'AA:bb:cc:dd:ee:ff',
    port: 2222,
    deviceType: 'netmiko_dell_os10',
    driver: 'generic-switch',
    disableCertificateVerification: true,
  },
  login: { username: 'root', proof: { privateKey: base64('KEY\n') }, adminPassword: 'enable' },
};

describe('the file of switches', () => {
  it('has a section for each, in the order of their names', () => {
    expect(switchConfigs([first, second], folder)).toBe(
      [
        '# This file is managed by the Baremetal Operator',
        '',
        '[switch:rack-a]',
        'address=switch.example.com',
        'mac_address=AA:bb:cc:dd:ee:ff',
        'port=2222',
        'driver_type=generic-switch',
        'device_type=netmiko_dell_os10',
        'insecure=true',
        'username=root',
        'key_file=/etc/ironic/switch-credentials/AA-bb-cc-dd-ee-ff.key',
        'enable_secret=enable',
        '',
        '[switch:rack-b]',
        'address=192.0.2.2',
        'mac_address=aa:bb:cc:dd:ee:02',
        'driver_type=generic-switch',
        'device_type=netmiko_cisco_ios',
        'username=admin',
        'password=p=w;#',
        '',
        '',
      ].join('\n'),
    );
  });

  it('is its head alone where there are none', () => {
    expect(switchConfigs([], folder)).toBe('# This file is managed by the Baremetal Operator\n\n');
  });

  it('has the files of the keys beside it, byte for byte, and of nothing else', () => {
    expect(keyFiles([first, second])).toEqual({ 'AA-bb-cc-dd-ee-ff.key': base64('KEY\n') });
  });
});

describe('the login of a switch', () => {
  it.each<[string, Record<string, string>, object]>([
    ['is a name and a password', { username: 'u', password: 'p' }, { username: 'u', proof: { password: 'p' } }],
    [
      'is a key before a password',
      { username: 'u', password: 'p', 'ssh-privatekey': 'K' },
      { proof: { privateKey: base64('K') } },
    ],
    [
      'is taken without the blanks around it',
      { username: ' u\n', password: 'p w\r\n' },
      { username: 'u', proof: { password: 'p w' } },
    ],
    ['may have a second password', { username: 'u', password: 'p', 'admin-password': 'a' }, { adminPassword: 'a' }],
    ['has none where that is empty', { username: 'u', password: 'p', 'admin-password': '\n' }, { adminPassword: '' }],
  ])('%s', (_what, values, login) => expect(loginOf(secret(values))).toMatchObject({ login }));

  it.each<[Record<string, string>, RegExp]>([
    [{ password: 'p' }, /^the Secret login: username is missing: set it to one line of text$/],
    [{ username: '', password: 'p' }, /username is empty/],
    [{ username: 'u' }, /password is missing: set password or ssh-privatekey/],
    [{ username: 'u\n[switch:x]', password: 'p' }, /username holds a line break/],
    [{ username: 'u', password: 'p\rq' }, /password holds a line break/],
    [{ username: 'u', password: 'p', 'admin-password': 'a\u2028b' }, /admin-password holds a line break/],
    [{ username: 'u\n', 'ssh-privatekey': 'K', 'admin-password': 'a\nb' }, /admin-password holds a line break/],
  ])('of %j is refused', (values, message) => {
    expect((loginOf(secret(values)) as { problem: string }).problem).toMatch(message);
  });

  it('is refused where it is no text', () => {
    const bytes = { metadata: { name: 'login' }, data: { username: Buffer.from([0xff, 0xfe]).toString('base64') } };
    expect(loginOf(bytes)).toEqual({ problem: expect.stringContaining('username is no text') });
  });

  it('never adds a line of its own to the file, nor shows itself in what is told of it', () => {
    const word = fc.string({ unit: 'binary', minLength: 1 });
    const values = fc.record({ username: word, password: word, 'admin-password': word });
    fc.assert(
      fc.property(values, (given) => {
        const reading = loginOf(secret(given));
        if ('problem' in reading) {
          const long = Object.values(given).filter((value) => value.trim().length > 20);
          return long.every((value) => !reading.problem.includes(value.trim()));
        }
        const text = switchConfigs([{ ...first, login: reading.login }], folder);
        const lines = reading.login.adminPassword === '' ? 11 : 12;
        return text.split(/\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/).length === lines;
      }),
      replay('logins of switches'),
    );
  });
});
