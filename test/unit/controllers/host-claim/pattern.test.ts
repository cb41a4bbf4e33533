import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pattern, PatternError } from '../../../../src/controllers/host-claim/pattern.js';
import { replay } from '../../../support/seed.js';

const matches = (pattern: string, text: string) => new Pattern(pattern).isIn(text);

describe('a pattern', () => {
  it.each([
    ['prod', 'reproduce', true],
    ['^prod$', 'reproduce', false],
    ['^prod$', 'prod', true],
    ['', 'anything', true],
    ['^$', '', true],
    ['^$', 'a', false],
    ['a|b', 'xbx', true],
    ['^(a|b)*$', 'abba', true],
    ['^(a|b)*$', 'abca', false],
    ['^team-[0-9]{2,3}$', 'team-12', true],
    ['^team-[0-9]{2,3}$', 'team-1', false],
    ['^team-[0-9]{2,3}$', 'team-1234', false],
    ['^a{2}$', 'aaa', false],
    ['^a{2,}$', 'aaaaa', true],
    ['a{,2}', 'a{,2}', true],
    ['a{x', 'a{x', true],
    ['^[^a-c-]+$', 'xyz', true],
    ['^[^a-c-]+$', 'x-z', false],
    ['^[]a]+$', ']a]', true],
    ['^[a-]+$', 'a-a', true],
    ['^[[:alpha:]]+$', 'abc', true],
    ['^[[:^alpha:]]+$', 'abc', false],
    ['^\\pL+$', 'abc', true],
    ['^\\p{Greek}$', 'λ', true],
    ['^\\P{Lu}+$', 'abc', true],
    ['(?i)PROD', 'prod', true],
    ['(?i:P)rod', 'pROD', false],
    ['(?i:P)rod', 'prod', true],
    ['((?i)p)rod', 'Prod', true],
    ['(?i)[^A]', 'a', false],
    ['(?i)[A-C]', 'b', true],
    ['(?P<team>blue|red)-x', 'red-x', true],
    ['(?<team>blue)-x', 'blue-x', true],
    ['\\bprod\\b', 'pre-prod-1', true],
    ['\\Bprod', 'prod', false],
    ['\\Aprod\\z', 'prod', true],
    ['\\Qa.b\\E', 'a.b', true],
    ['\\Qa.b\\E', 'axb', false],
    ['^\\Qab\\E+$', 'abbb', true],
    ['^\\x61\\x{62}\\143$', 'abc', true],
    ['^a.*?b$', 'axxb', true],
    ['(?m)^b$', 'a\nb', true],
    ['(?s)^a.b$', 'a\nb', true],
    ['^a.b$', 'a\nb', false],
    ['^(a?){3}b$', 'ab', true],
    ['(|a)b', 'b', true],
    ['^(?:)*$', '', true],
  ])('%s in %j: %s', (pattern, text, wanted) => {
    expect(matches(pattern, text)).toBe(wanted);
  });

  it.each([
    ['hc[', 'missing closing ]: `[`'],
    ['(a', 'missing closing ): `(a`'],
    ['a)', 'unexpected ): `a)`'],
    ['*a', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{3,2}', 'invalid repeat count: `{3,2}`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<!a)', 'invalid named capture: `(?<!a)`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['\\Z', 'invalid escape sequence: `\\Z`'],
    ['\\', 'trailing backslash'],
    ['\\p{Klingon}', 'invalid character class range: `\\p{Klingon}`'],
    ['((a{100}){100}){100}', 'invalid repeat count: `{100}`'],
  ])('%s is refused: %s', (pattern, words) => {
    expect(() => new Pattern(pattern)).toThrow(PatternError);
    expect(() => new Pattern(pattern)).toThrow(words);
  });

  // An engine that tries one way after the other would not come to an end here.
  it.each(['(a+)+$', '^(a|a)*$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$', '(a?){63}a{63}$'])(
    'is never slow: %s',
    (pattern) => {
      expect(matches(pattern, `${'a'.repeat(62)}-`)).toBe(false);
    },
  );

  it('says the same as another engine of what both understand', () => {
    const word = fc.constantFrom('a', 'b', '-', '.', '\\d', '[ab]', '[^a]', '[a-c]', '^', '$', '\\b', '\\w');
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        word,
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(${a}|${b})`),
        fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '*?')).map(([a, r]) => `(?:${a})${r}`),
      ),
    }));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-', '1'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (written, name) => {
        expect([written, matches(written, name)]).toEqual([written, new RegExp(written).test(name)]);
      }),
      { ...replay('patterns'), numRuns: 3000 },
    );
  });
});
