// Figures of the whole, as one JSON line. `--check` compares them with bench.ranges.json and fails when one is out of range;
// `--hosts N` sets the size of the fleet. Needs `npm run compile` before (npm run bench does that).
import { readFileSync } from 'node:fs';
import { chartSteps } from './chart-steps.mjs';
import { claimsServed } from './claims.mjs';
import { fleetToAvailable } from './fleet-available.mjs';
import { ironicLife } from './ironic-life.mjs';

const argument = (name, standard) => {
  const at = process.argv.indexOf(name);
  return at === -1 ? standard : Number(process.argv[at + 1]);
};

const figures = {
  node: process.versions.node,
  chart: await chartSteps(),
  fleet: await fleetToAvailable(argument('--hosts', 1000)),
  ironic: await ironicLife(),
  claims: await claimsServed(1000),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);

if (process.argv.includes('--check')) {
  const { ranges } = JSON.parse(readFileSync(new URL('bench.ranges.json', import.meta.url), 'utf8'));
  const out = ranges.filter(({ path, max }) => path.split('.').reduce((value, key) => value[key], figures) > max);
  for (const { path, max, why } of out) process.stderr.write(`${path} exceeds ${max} (${why})\n`);
  process.exitCode = out.length === 0 ? 0 : 1;
}
