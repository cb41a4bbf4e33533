// How fast this machine is, here and now: the same work whatever the project is, so that times of one run can be told in it
// and compared with those of another machine.
import { createHash } from 'node:crypto';

const rounds = 25;
const copies = 200;

/** Of the shape that the project's own work has: objects of some KiB with short strings, lists and numbers. */
const object = {
  metadata: {
    name: 'host',
    namespace: 'rack',
    labels: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`label-${at}`, `${at}`])),
  },
  nics: Array.from({ length: 8 }, (_, at) => ({
    name: `eth${at}`,
    mac: `02:00:00:00:00:0${at}`,
    ip: `192.0.2.${at}`,
    speedGbps: at,
  })),
  storage: Array.from({ length: 12 }, (_, at) => ({
    name: `/dev/sd${at}`,
    sizeBytes: at * 1e12,
    rotational: at % 2 === 0,
  })),
};

function work() {
  for (let copy = 0; copy < copies; copy += 1) {
    const text = JSON.stringify(structuredClone(JSON.parse(JSON.stringify({ ...object, copy }))));
    createHash('sha256').update(text).digest('hex');
  }
}

/** Milliseconds of processor time that the work takes: the median of some rounds, the first ones left out. */
export function yardstickMs() {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  const settled = times.slice(5).sort((a, b) => a - b);
  return settled[settled.length >> 1];
}
