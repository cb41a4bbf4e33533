/** `ironchart chart`: the charts that the operator runs, drawn from themselves. */
import { type ChartGraph, type ChartName, chartNames, namedChart } from '../../machines/drawing/index.js';
import { picture, regionsOf, toMermaid, toSmcat, type View } from '../../machines/drawing/index.js';
import { InputError } from '../errors.js';
import type { Command } from './flags.js';

const renderers: Readonly<Record<string, (graph: ChartGraph, view: View) => string>> = {
  mermaid: (graph, view) => toMermaid(picture(graph, view)),
  smcat: (graph, view) => toSmcat(picture(graph, view)),
  json: (graph) => `${JSON.stringify(graph, null, 2)}\n`,
};

export const chartCommand: Command = {
  name: 'chart',
  summary: 'Draw the lifecycle, from the very chart that the operator runs.',
  usage: '[--format mermaid|smcat|json] [--chart NAME] [--region NAME] [--collapsed]',
  flags: {
    format: { value: 'FORMAT', default: 'mermaid', choices: Object.keys(renderers), help: 'What is written.' },
    chart: { value: 'NAME', default: 'host', choices: chartNames, help: 'Which chart.' },
    region: { value: 'NAME', help: 'Only this region of the host chart: pass, lifecycle or standing.' },
    collapsed: { help: 'Fold the steps of a state into it, and draw one arrow from state to state.' },
  },
  run: (args) => {
    const graph = namedChart(args.text('chart') as ChartName);
    const view = { region: args.text('region'), isCollapsed: args.has('collapsed') };
    const format = args.text('format') ?? '';
    refuse(graph, view, format);
    process.stdout.write(renderers[format]?.(graph, view) ?? '');
    return Promise.resolve(0);
  },
};

function refuse(graph: ChartGraph, { region, isCollapsed }: View, format: string): void {
  if (format === 'json' && (region !== undefined || isCollapsed === true)) {
    const flag = region === undefined ? '--collapsed' : '--region';
    throw new InputError(flag, 'does not go with --format json, which holds the whole chart', 'leave it out');
  }
  const regions = regionsOf(graph).map(({ key }) => key);
  if (region === undefined || regions.includes(region)) return;
  if (regions.length === 0) throw new InputError('--region', `the chart ${graph.id} has no regions`, 'leave it out');
  throw new InputError('--region', `"${region}" is none of ${regions.join(', ')}`, 'give one of them');
}
