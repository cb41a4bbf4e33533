import { readFileSync } from 'node:fs';
import type { Command } from './flags.js';

function readVersion(): string {
  // From dist/src/cli or from src/cli, the package's own file is the first one on the way up.
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      const { name, version: found } = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as Record<
        string,
        string
      >;
      if (name === 'ironchart' && found !== undefined) return found;
    } catch {
      // Not there: one step further up.
    }
  }
  return 'unknown';
}

export const version = readVersion();

export const versionCommand: Command = {
  name: 'version',
  summary: 'Print the version.',
  usage: '',
  flags: {},
  run: () => {
    process.stdout.write(`ironchart ${version} (Node ${process.versions.node})\n`);
    return Promise.resolve(0);
  },
};
