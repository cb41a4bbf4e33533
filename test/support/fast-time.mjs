// Preloaded into a child process: its timers and clocks run FAST_TIME times faster. The program itself is the real one.
const speed = Number(process.env.FAST_TIME ?? '1');
const { setTimeout: realTimeout } = globalThis;
const realNow = Date.now.bind(Date);
const realMonotonic = performance.now.bind(performance);
const [epoch, start] = [realNow(), realMonotonic()];

globalThis.setTimeout = Object.assign(
  (task, ms, ...args) => realTimeout(task, (ms ?? 0) / speed, ...args),
  realTimeout, // keeps util.promisify's own form
);
Date.now = () => epoch + (realNow() - epoch) * speed;
performance.now = () => (realMonotonic() - start) * speed;
