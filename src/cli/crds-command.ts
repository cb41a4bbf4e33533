import { InputError, messageOf } from '../errors.js';
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
      for (const path of await written(folder)) process.stdout.write(`${path}\n`);
    }
    return 0;
  },
};

async function written(folder: string): Promise<string[]> {
  try {
    return await writeCRDs(folder);
  } catch (error) {
    throw new InputError('--out', `${folder} cannot be written: ${messageOf(error)}`, 'give a folder that can');
  }
}
