import { describe, expect, it } from '@jest/globals';
import { switchNetworking } from '../../../src/config/switches.js';

const whole = {
  IRONIC_NETWORKING_ENABLED: 'true',
  IRONIC_SWITCH_CONFIGS_SECRET: 'configs',
  IRONIC_SWITCH_CREDENTIALS_SECRET: 'credentials',
  IRONIC_SWITCH_CREDENTIALS_PATH: '/etc/ironic/switch-credentials',
};

describe('the settings about switches', () => {
  it.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('are taken with the word %s', (word) => {
    expect(switchNetworking({ ...whole, IRONIC_NETWORKING_ENABLED: word })).toEqual({
      configsSecret: 'configs',
      credentialsSecret: 'credentials',
      credentialsPath: '/etc/ironic/switch-credentials',
    });
  });

  it.each(['', '0', 'f', 'F', 'FALSE', 'false', 'False'])('are none with the word "%s"', (word) => {
    expect(switchNetworking({ IRONIC_NETWORKING_ENABLED: word })).toBeUndefined();
  });

  it('are none where nothing is said', () => expect(switchNetworking({})).toBeUndefined());

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'a word of another language',
      { IRONIC_NETWORKING_ENABLED: 'yes' },
      /^IRONIC_NETWORKING_ENABLED: "yes" is neither/,
    ],
    ['no Secret of configs', { IRONIC_SWITCH_CONFIGS_SECRET: '' }, /^IRONIC_SWITCH_CONFIGS_SECRET: is not set.*name/],
    ['no Secret of keys', { IRONIC_SWITCH_CREDENTIALS_SECRET: '' }, /^IRONIC_SWITCH_CREDENTIALS_SECRET: is not set/],
    ['no folder', { IRONIC_SWITCH_CREDENTIALS_PATH: '' }, /^IRONIC_SWITCH_CREDENTIALS_PATH: is not set.*give/],
    [
      'a name that is none',
      { IRONIC_SWITCH_CONFIGS_SECRET: 'a/b' },
      /^IRONIC_SWITCH_CONFIGS_SECRET: "a\/b" is no name/,
    ],
    [
      'one Secret for both',
      { IRONIC_SWITCH_CREDENTIALS_SECRET: 'configs' },
      /^IRONIC_SWITCH_CREDENTIALS_SECRET: names/,
    ],
    ['a relative folder', { IRONIC_SWITCH_CREDENTIALS_PATH: 'keys' }, /^IRONIC_SWITCH_CREDENTIALS_PATH: "keys" is no/],
    ['a folder of two lines', { IRONIC_SWITCH_CREDENTIALS_PATH: '/a\n[x]' }, /no absolute path/],
  ])('refuse %s', (_what, wrong, message) => {
    expect(() => switchNetworking({ ...whole, ...wrong })).toThrow(message);
  });

  it('end a folder without a slash', () => {
    const { credentialsPath } = switchNetworking({ ...whole, IRONIC_SWITCH_CREDENTIALS_PATH: '/keys//' }) ?? {};
    expect(credentialsPath).toBe('/keys');
  });
});
