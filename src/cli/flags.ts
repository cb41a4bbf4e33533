/**
 * Flags, declared as data: parsed by Node, checked here, described by `--help`. A flag may have one dash or two, as operators
 * of this kind take both. What is unknown or badly valued is refused with the remedy.
 */
import { parseArgs } from 'node:util';
import { InputError } from '../errors.js';

export interface Flag {
  /** Shown in `--help` where the value goes; undefined for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly short?: string;
  readonly repeats?: true;
  readonly default?: string;
  readonly choices?: readonly string[];
}

export interface Command<F extends Record<string, Flag> = Record<string, Flag>> {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly flags: F;
  /** Names of what follows the flags; with `...` at the end of the last one it repeats. */
  readonly operands?: readonly string[];
  readonly run: (args: ParsedArgs) => Promise<number>;
}

export class ParsedArgs {
  constructor(
    private readonly command: string,
    private readonly values: Readonly<Record<string, string | boolean | string[] | undefined>>,
    readonly operands: readonly string[],
  ) {}

  has(flag: string): boolean {
    return this.values[flag] === true;
  }

  text(flag: string): string | undefined {
    const value = this.values[flag];
    return typeof value === 'string' ? value : undefined;
  }

  list(flag: string): string[] {
    const value = this.values[flag];
    return Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
  }

  /** @throws InputError unless the value is a whole number of at least `least`. */
  integer(flag: string, least = 0): number {
    const value = this.text(flag) ?? '';
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < least) {
      throw new InputError(`--${flag}`, `"${value}" is no whole number of at least ${least}`, 'give one');
    }
    return number;
  }

  /** @param remedy what to give instead @throws InputError unless the value is the number of a port, or 0 */
  port(flag: string, remedy: string): number {
    const port = this.integer(flag);
    if (port > 65_535) throw new InputError(`--${flag}`, `${port} is no port`, `give one below 65536, or ${remedy}`);
    return port;
  }

  /** Milliseconds. @throws InputError unless the value is a duration such as 90s, 2m or 1m30s. */
  duration(flag: string): number {
    return parseDuration(this.text(flag) ?? '', `--${flag}`);
  }
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration such as `90s`, `2m`, `1m30s`. */
export function parseDuration(text: string, field: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new InputError(field, `"${text}" is no duration`, 'write it like 90s, 2m or 1m30s');
  }
  return parts.reduce((sum, [, number = '0', unit = 's']) => sum + Number(number) * (units[unit] ?? 0), 0);
}

const helpFlag: Flag = { help: 'Show this and end.', short: 'h' };

export function parseFlags(command: Command, argv: readonly string[]): ParsedArgs {
  const flags: Record<string, Flag> = { ...command.flags, help: helpFlag };
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value, short, repeats, default: standard }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(short === undefined ? {} : { short }),
        ...(repeats === undefined ? {} : { multiple: true }),
        ...(standard === undefined ? {} : { default: standard }),
      },
    ]),
  );
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const args = [...argv.slice(0, end).map((arg) => withTwoDashes(arg, flags)), ...argv.slice(end)];
  const { values, positionals } = parse(command, args, options);
  const parsed = new ParsedArgs(command.name, values, positionals);
  // Who asks for help may well have asked because of a value that is refused.
  if (parsed.has('help')) return parsed;
  refuseOperands(command, positionals);
  for (const [name, { choices }] of Object.entries(flags)) {
    const value = values[name];
    if (choices !== undefined && typeof value === 'string' && !choices.includes(value)) {
      throw new InputError(`--${name}`, `"${value}" is none of ${choices.join(', ')}`, 'give one of them');
    }
  }
  return parsed;
}

type Values = Record<string, string | boolean | string[] | undefined>;

function parse(command: Command, args: string[], options: object): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true } as Parameters<typeof parseArgs>[0]) as {
      values: Values;
      positionals: string[];
    };
  } catch (error) {
    const why = error instanceof Error ? (error.message.split(/\. |\n/)[0] ?? '') : String(error);
    throw new InputError('flags', why, `see \`ironchart ${command.name} --help\``);
  }
}

/** `-namespace=x` is what Go's flags take; a letter alone, or letters that are none of ours, stay what they are. */
function withTwoDashes(arg: string, flags: Readonly<Record<string, Flag>>): string {
  const [, name = ''] = /^-([a-z][a-z-]+)(?:=.*)?$/.exec(arg) ?? [];
  return name !== '' && name in flags ? `-${arg}` : arg;
}

function refuseOperands({ name, operands = [] }: Command, given: readonly string[]): void {
  const repeats = operands.at(-1)?.endsWith('...') ?? false;
  if (!repeats && given.length > operands.length) {
    const extra = given[operands.length] ?? '';
    throw new InputError('arguments', `"${extra}" is one too many`, `see \`ironchart ${name} --help\``);
  }
  if (given.length < operands.length) {
    throw new InputError('arguments', `${operands[given.length]} is missing`, `see \`ironchart ${name} --help\``);
  }
}

/** The text of `--help`. */
export function helpText({ name, summary, usage, flags }: Command): string {
  const rows = Object.entries<Flag>({ ...flags, help: helpFlag }).map(
    ([flag, { value, short, help, choices, default: standard }]) => {
      const dash = short === undefined ? `    --${flag}` : `-${short}, --${flag}`;
      const what = [
        help,
        choices === undefined ? '' : `One of ${choices.join(', ')}.`,
        standard === undefined ? '' : `Default ${standard}.`,
      ];
      return [
        `  ${dash}${value === undefined ? '' : ` ${value}`}`,
        what.filter((text) => text !== '').join(' '),
      ] as const;
    },
  );
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const table = rows.map(([left, right]) => `${left.padEnd(width)}${right}`).join('\n');
  return `${summary}\n\nUsage: ironchart ${name} ${usage}\n\nFlags:\n${table}\n`;
}
