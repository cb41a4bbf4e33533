import type { Command } from './flags.js';
export const chartCommand: Command = {
  name: 'chart',
  summary: 'Draw the lifecycle.',
  usage: '',
  flags: {},
  run: () => Promise.resolve(0),
};
