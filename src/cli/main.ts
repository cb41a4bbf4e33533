#!/usr/bin/env node
/**
 * The command line. Exit codes: 0 done; 1 it ran and did not get there; 2 the input is at fault and nothing was done;
 * 3 it broke off; 130 interrupted.
 */
import { setFlagsFromString } from 'node:v8';
import { InputError, IronchartError, messageOf } from '../errors.js';
import { chartCommand } from './chart.js';
import { crdsCommand } from './crds-command.js';
import { type Command, helpText, parseFlags } from './flags.js';
import { runCommand } from './run-command.js';
import { upCommand } from './up/command.js';
import { validateCommand } from './validate.js';
import { version, versionCommand } from './version.js';

const commands: readonly Command[] = [
  upCommand,
  runCommand(process.env),
  crdsCommand,
  chartCommand,
  validateCommand,
  versionCommand,
];

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`).join('\n');
  return `Ironchart ${version}: a Kubernetes operator for bare metal.\n\nUsage: ironchart COMMAND [flags]\n\n${rows}\n\n\`ironchart COMMAND --help\` tells more. Exit codes: 0 done, 1 did not get there, 2 bad input, 3 broke off, 130 interrupted.\n`;
}

async function main([name, ...rest]: string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(overview());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version') return versionCommand.run(parseFlags(versionCommand, []));
  const command = commands.find((each) => each.name === name);
  if (command === undefined) {
    const names = commands.map((each) => each.name).join(', ');
    throw new InputError('command', `"${name}" is none of ${names}`, 'see `ironchart help`');
  }
  const args = parseFlags(command, rest);
  if (!args.has('help')) return command.run(args);
  process.stdout.write(helpText(command));
  return 0;
}

// Left alone, V8 lets the heap grow to a multiple of what is alive before it looks for garbage: a fleet of hundreds then takes
// twice the memory, and is no faster for it.
setFlagsFromString('--heap-growing-percent=40');

/** Half-alive is worse than gone: what nobody caught ends the process. */
function dieOf(error: unknown): void {
  process.stderr.write(`ironchart: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(3);
}

// Whoever reads our output may go, as `head` does: then it ends in order, like after any other request to end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.kill(process.pid, 'SIGTERM');
  else dieOf(error);
});
process.on('unhandledRejection', dieOf);
process.on('uncaughtException', dieOf);

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const code = error instanceof IronchartError ? ` [${error.code}]` : '';
  process.stderr.write(`ironchart:${code} ${messageOf(error)}\n`);
  process.exitCode = error instanceof InputError ? 2 : 3;
}
