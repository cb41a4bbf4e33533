import type { Command } from './flags.js';
import { renderCRDs, writeCRDs } from './crds.js';

export const crdsCommand: Command = {
  name: 'crds',
  summary: 'Print the CustomResourceDefinitions, or write them into a folder.',
  usage: '[--out DIR]',
  flags: { out: { value: 'DIR', help: 'Write one file a kind into this folder.' } },
  run: async (args) => {
    const folder = args.text('out');
    if (folder === undefined) {
      process.stdout.write(
        renderCRDs()
          .map(({ text }) => text)
          .join('---\n'),
      );
    } else {
      for (const path of await writeCRDs(folder)) process.stdout.write(`${path}\n`);
    }
    return 0;
  },
};
