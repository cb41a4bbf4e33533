import { describe, expect, it } from '@jest/globals';
import { schemaName } from '../../../../src/controllers/firmware-settings/schema-name.js';
import { settingProblem } from '../../../../src/controllers/firmware-settings/setting-rule.js';
import { judgeSettings, settingsFindings } from '../../../../src/controllers/firmware-settings/verdict.js';

describe('the name of a schema', () => {
  const virtualization = {
    attribute_type: 'Enumeration',
    allowable_values: ['Enabled', 'Disabled'],
    read_only: false,
  };
  const tag = { attribute_type: 'String', min_length: 1, max_length: 16 };

  it('is the one that other operators come to', () => {
    expect(schemaName({ ProcVirtualization: virtualization, AssetTag: tag })).toBe('schema-2e21b777');
    expect(schemaName({})).toBe('schema-4f53cda1');
  });

  it('does not go by order, nor by what belongs to a machine alone', () => {
    const other = { ...virtualization, allowable_values: ['Disabled', 'Enabled'], unique: true };
    expect(schemaName({ AssetTag: tag, ProcVirtualization: other })).toBe('schema-2e21b777');
  });

  it.each([
    ['a bound', { AssetTag: { ...tag, max_length: 17 } }],
    ['a flag', { AssetTag: { ...tag, read_only: true } }],
    ['a type', { AssetTag: { ...tag, attribute_type: 'Password' } }],
    ['a name', { AssetTags: tag }],
  ])('goes by %s', (_what, rules) => {
    expect(schemaName(rules)).not.toBe(schemaName({ AssetTag: tag }));
  });

  it('sorts by bytes, beyond the basic plane too', () => {
    const names = schemaName({ '\u{1f600}': {}, '\uffee': {} });
    expect(names).toBe(schemaName({ '\uffee': {}, '\u{1f600}': {} }));
    // SHA-256 of "[  \uffee \u{1f600}]" in UTF-8, sorted by its bytes.
    expect(names).toBe('schema-f5893abb');
  });
});

const rules = {
  NetworkBootRetryCount: { attribute_type: 'Integer', lower_bound: 0, upper_bound: 20 },
  SecureBoot: { attribute_type: 'Enumeration', allowable_values: ['Enabled', 'Disabled'], read_only: true },
  ProcVirtualization: { attribute_type: 'Enumeration', allowable_values: ['Enabled', 'Disabled'] },
  AssetTag: { attribute_type: 'String', min_length: 2, max_length: 4 },
  QuietBoot: { attribute_type: 'Boolean' },
  SysPassword: { attribute_type: 'Password' },
  Hidden: { attribute_type: 'Password' },
  Free: {},
  Odd: { attribute_type: 'Matrix' },
};
const { SysPassword: _password, ...shown } = rules;
const actual = Object.fromEntries([...Object.keys(shown), 'Unruled'].map((name) => [name, 'x']));
const problem = (name: string, value: string | number) => settingProblem(name, value, { actual, rules });

describe('a wanted setting', () => {
  it.each([
    ['NetworkBootRetryCount', 20],
    ['NetworkBootRetryCount', '0'],
    ['NetworkBootRetryCount', '+7'],
    ['ProcVirtualization', 'Enabled'],
    ['AssetTag', 'äb'],
    ['QuietBoot', 'true'],
    ['Free', 'anything'],
  ])('%s = %s keeps its rule', (name, value) => {
    expect(problem(name, value)).toBeUndefined();
  });

  it.each([
    ['NetworkBootRetryCount', 1000, 'its most, 20'],
    ['NetworkBootRetryCount', -1, 'its least, 0'],
    ['NetworkBootRetryCount', 'twenty', 'not a whole number'],
    ['NetworkBootRetryCount', '7.5', 'not a whole number'],
    ['NetworkBootRetryCount', '', 'not a whole number'],
    ['ProcVirtualization', 'enabled', 'Enabled, Disabled'],
    ['AssetTag', 'a', 'its least, 2'],
    ['AssetTag', 'äöü', '6 bytes'],
    ['QuietBoot', 'True', 'neither true nor false'],
    ['SecureBoot', 'Enabled', 'read-only'],
    ['SysPassword', 'secret', 'passwords cannot be set'],
    ['Hidden', 'secret', 'not in the FirmwareSchema'],
    ['Unruled', 'x', 'not in the FirmwareSchema'],
    ['constructor', 'x', 'not a setting of this host'],
    ['Odd', 'x', 'Matrix'],
  ])('%s = %s breaks it, and the message says how', (name, value, why) => {
    const message = problem(name, value);
    expect(message).toContain(name);
    expect(message).toContain(why);
  });

  it('that may be a password is not repeated', () => {
    expect(problem('SysPassword', 'sesame')).not.toContain('sesame');
    expect(problem('Hidden', 'sesame')).not.toContain('sesame');
  });
});

describe('the verdict', () => {
  it('finds a number equal to the text that it is written as', () => {
    const known = { actual: { NetworkBootRetryCount: '20' }, rules };
    expect(judgeSettings({ NetworkBootRetryCount: 20 }, known)).toEqual({ isChanged: false, problems: [] });
  });

  it('does not judge while nothing is to be changed', () => {
    const known = { actual: { SecureBoot: 'Enabled' }, rules };
    expect(judgeSettings({ SecureBoot: 'Enabled' }, known)).toEqual({ isChanged: false, problems: [] });
    expect(judgeSettings({ SecureBoot: 'Disabled' }, known).problems).toHaveLength(1);
    expect(judgeSettings({}, known).isChanged).toBe(false);
  });

  it('is told in the words that clients know', () => {
    expect(settingsFindings({ isChanged: true, problems: ['a', 'b'] })).toEqual([
      { type: 'ChangeDetected', status: 'True', reason: 'Success' },
      { type: 'Valid', status: 'False', reason: 'ConfigurationError', message: 'a; b' },
    ]);
  });
});
