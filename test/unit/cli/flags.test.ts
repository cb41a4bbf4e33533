import { describe, expect, it } from '@jest/globals';
import { type Command, helpText, parseDuration, parseFlags } from '../../../src/cli/flags.js';
import { InputError } from '../../../src/errors.js';

const command: Command = {
  name: 'try',
  summary: 'Try it.',
  usage: '[flags] FILE...',
  flags: {
    file: { value: 'FILE', short: 'f', repeats: true, help: 'Files.' },
    namespace: { value: 'NAME', help: 'Where.' },
    'leader-elect': { help: 'Lead.' },
    level: { value: 'LEVEL', help: 'How much.', choices: ['low', 'high'], default: 'low' },
    workers: { value: 'N', help: 'How many.', default: '4' },
    timeout: { value: 'DURATION', help: 'How long.' },
  },
  operands: ['FILE...'],
  run: () => Promise.resolve(0),
};
const parse = (...argv: string[]) => parseFlags(command, argv.includes('--') ? argv : [...argv, 'operand']);

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).message;
  }
  return 'it was taken';
}

describe('flags', () => {
  it('are taken with one dash or two, and with a value in the same word or the next', () => {
    for (const argv of [['--namespace=a'], ['-namespace=a'], ['--namespace', 'a'], ['-namespace', 'a']]) {
      expect(parse(...argv).text('namespace')).toBe('a');
    }
    expect(parse('-leader-elect').has('leader-elect')).toBe(true);
    expect(parse('--leader-elect').has('leader-elect')).toBe(true);
    expect(parse().has('leader-elect')).toBe(false);
  });

  it('may have a short form and may be repeated', () => {
    expect(parse('-f', 'a', '--file=b', '-file', 'c', '-fd').list('file')).toEqual(['a', 'b', 'c', 'd']);
    expect(parse().list('file')).toEqual([]);
  });

  it('have their defaults, which a value replaces', () => {
    expect([parse().text('level'), parse().integer('workers'), parse().text('namespace')]).toEqual([
      'low',
      4,
      undefined,
    ]);
    expect(parse('--level', 'high', '--workers', '7').integer('workers')).toBe(7);
  });

  it('end at two dashes: what follows is taken as it is', () => {
    expect(parse('-f', 'a', '--', '-namespace=b', '--', '-x').operands).toEqual(['-namespace=b', '--', '-x']);
    expect(parse('-f', 'a', '--', '-namespace=b').text('namespace')).toBeUndefined();
  });

  it.each<[string[], RegExp]>([
    [['--nonsense'], /Unknown option '--nonsense'.*; see `ironchart try --help`/],
    [['-nonsense'], /Unknown option '-n'/],
    [['--namespace'], /'--namespace <value>' argument missing|argument is ambiguous|see `ironchart try --help`/],
    [['--leader-elect=yes'], /does not take an argument/],
    [['--level', 'middling', 'operand'], /^--level: "middling" is none of low, high; give one of them$/],
  ])('are refused with the remedy: %j', (argv, message) => {
    expect(refusal(() => parseFlags(command, [...argv]))).toMatch(message);
  });

  it.each(['', '-1', '1.5', '0x10', 'four', '1e3', ' 4', '2'])('want whole numbers, and enough: "%s"', (text) => {
    expect(refusal(() => parse(`--workers=${text}`).integer('workers', 3))).toBe(
      `--workers: "${text}" is no whole number of at least 3; give one`,
    );
  });

  it.each<[string, number]>([
    ['90s', 90_000],
    ['2m', 120_000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    ['0s', 0],
    ['1h2m3s4ms', 3_723_004],
  ])('read the duration %s as %i ms', (text, ms) => expect(parse('--timeout', text).duration('timeout')).toBe(ms));

  it.each(['', '5', 's', '5 s', '1m 30s', '-5s', '5d', '1m30', '5sx', 'x5s', '.5s'])(
    'refuse the duration "%s"',
    (text) => {
      expect(refusal(() => parseDuration(text, '--timeout'))).toBe(
        `--timeout: "${text}" is no duration; write it like 90s, 2m or 1m30s`,
      );
    },
  );
});

describe('operands', () => {
  it('are missed where they are needed, and may repeat where that is said', () => {
    expect(refusal(() => parseFlags(command, []))).toMatch(/^arguments: FILE\.\.\. is missing; see/);
    expect(parseFlags(command, ['a', '-f', 'x', 'b']).operands).toEqual(['a', 'b']);
  });

  it('are refused where none are taken', () => {
    const { operands: _operands, ...bare } = command;
    expect(refusal(() => parseFlags(bare, ['extra', 'more']))).toBe(
      'arguments: "extra" is one too many; see `ironchart try --help`',
    );
  });

  it('do not matter when help is asked for', () => {
    for (const argv of [['--help'], ['-h'], ['-help'], ['--level', 'high', '--help'], ['--level', 'none', '-h']]) {
      expect(parseFlags(command, argv).has('help')).toBe(true);
    }
  });
});

describe('the help text', () => {
  const lines = helpText(command).split('\n');

  it('names the command, how it is called, and every flag with its choices and default', () => {
    expect(lines.slice(0, 5)).toEqual(['Try it.', '', 'Usage: ironchart try [flags] FILE...', '', 'Flags:']);
    for (const name of [...Object.keys(command.flags), 'help']) {
      expect(lines.filter((line) => line.includes(`--${name}`))).toHaveLength(1);
    }
    expect(lines.find((line) => line.includes('--level'))).toMatch(/One of low, high\. Default low\.$/);
    expect(lines.find((line) => line.includes('--file'))).toMatch(/^ {2}-f, --file FILE +Files\.$/);
  });

  it('stands in two straight columns', () => {
    const starts = lines.slice(5, -1).map((line) => line.search(/(?<= {2})[A-Z][a-z]/));
    expect(new Set(starts).size).toBe(1);
  });
});
