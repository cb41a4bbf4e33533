import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { chartCommand } from '../../../src/cli/chart.js';
import { parseFlags } from '../../../src/cli/flags.js';
import { InputError } from '../../../src/errors.js';
import { namedChart } from '../../../machines/drawing/index.js';

async function printed(...argv: string[]): Promise<string> {
  let text = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  expect(await chartCommand.run(parseFlags(chartCommand, argv))).toBe(0);
  return text;
}

describe('ironchart chart', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('draws the host chart in Mermaid unless told otherwise', async () => {
    const text = await printed();
    expect(text).toMatch(/^stateDiagram-v2\n {2}state host \{\n/);
    expect(await printed('--format', 'mermaid', '--chart', 'host')).toBe(text);
  });

  it('prints the whole graph as JSON', async () => {
    expect(JSON.parse(await printed('--format', 'json', '--chart', 'power'))).toEqual(namedChart('power'));
  });

  it('draws one region, folded, in the language that is asked for', async () => {
    const text = await printed('--format', 'smcat', '--region', 'lifecycle', '--collapsed');
    expect(text).toContain('"host.lifecycle.available" => "host.lifecycle.provisioning": "needsProvisioning";\n');
    expect(text).not.toContain('rest');
  });

  it.each([
    [['--region', 'weather'], '--region: "weather" is none of pass, lifecycle, standing; give one of them'],
    [['--chart', 'power', '--region', 'pass'], '--region: the chart power has no regions; leave it out'],
    [['--format', 'json', '--collapsed'], '--collapsed: does not go with --format json'],
    [['--format', 'svg'], '--format: "svg" is none of mermaid, smcat, json; give one of them'],
  ])('refuses %j and says what to give instead', (argv, message) => {
    const run = () => chartCommand.run(parseFlags(chartCommand, argv));
    expect(run).toThrow(InputError);
    expect(run).toThrow(message);
  });
});
