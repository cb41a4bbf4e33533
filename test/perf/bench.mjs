// Figures of the whole, as one JSON line. `--check` compares them with bench.ranges.json and fails when one is out of range: counts
// and sizes as they are, times in yardsticks of the same run (yardstick.mjs). `--hosts N` sets the size of the fleet. Needs `npm run compile` before (npm run bench does that).
import { readFileSync } from 'node:fs';
import { chartSteps } from './chart-steps.mjs';
import { claimsServed } from './claims.mjs';
import { fleetToAvailable } from './fleet-available.mjs';
import { ironicLife } from './ironic-life.mjs';
import { yardstickMs } from './yardstick.mjs';

const argument = (name, standard) => {
  const at = process.argv.indexOf(name);
  return at === -1 ? standard : Number(process.argv[at + 1]);
};

// Between what is measured, since a machine's speed changes with what others do on it.
const yardsticks = [yardstickMs()];
async function beside(measured) {
  const figures = await measured;
  yardsticks.push(yardstickMs());
  return figures;
}

const measured = {
  node: process.versions.node,
  chart: await beside(chartSteps()),
  fleet: await beside(fleetToAvailable(argument('--hosts', 1000))),
  ironic: await ironicLife(),
  claims: await beside(claimsServed(1000)),
};
const sum = yardsticks.reduce((total, each) => total + each, 0);
const figures = { ...measured, yardstickMs: Number((sum / yardsticks.length).toFixed(2)) };
process.stdout.write(`${JSON.stringify(figures)}\n`);

if (process.argv.includes('--check')) {
  const { ranges } = JSON.parse(readFileSync(new URL('bench.ranges.json', import.meta.url), 'utf8'));
  for (const { path, max, perYardstick, why } of ranges) {
    const value = path.split('.').reduce((part, key) => part[key], figures);
    const compared = perYardstick === true ? value / figures.yardstickMs : value;
    if (compared <= max) continue;
    const unit = perYardstick === true ? ' per millisecond of the yardstick' : '';
    process.stderr.write(`${path} is ${compared.toFixed(2)}${unit}, more than ${max} (${why})\n`);
    process.exitCode = 1;
  }
}
