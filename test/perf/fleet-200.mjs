// `ironchart up` as a process of its own with 200 hosts, in time that runs ten times faster: every host is provisioned, no more
// of them than the limit are ever busy at once, each is deployed once, and the process stays small. Exit code 1 if not so.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const hosts = 200;
const limit = 20;
const speed = 10;
/** MiB. Measured: about 240; the bound is what a small pod is given. */
const maxMemory = 300;

const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const fastTime = new URL('../support/fast-time.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'ironchart-fleet-'));

function manifest(index) {
  const name = `host-${String(index).padStart(3, '0')}`;
  const [high, low] = [index >> 8, index & 255].map((byte) => byte.toString(16).padStart(2, '0'));
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${name}-bmc` },
      stringData: { username: 'admin', password: `example-${index}` },
    },
    {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: { name },
      spec: {
        online: true,
        bootMACAddress: `02:00:00:00:${high}:${low}`,
        bmc: {
          address: `redfish://10.0.${index >> 8}.${index & 255}/redfish/v1/Systems/1`,
          credentialsName: `${name}-bmc`,
        },
        image: { url: 'http://images.example.com/os.qcow2', checksum: 'a'.repeat(64), checksumType: 'sha256' },
      },
    },
  ];
}

/** The most nodes that were busy at one time, and the least and most often that a node was deployed, from the database's journal. */
function replay(journal) {
  const busyStates = /^(cleaning|clean wait|inspecting|inspect wait|deploying|wait call-back|deleting)$/;
  // One deployment goes to and fro between these two.
  const deploying = new Set(['deploying', 'wait call-back']);
  const states = new Map();
  const deployments = new Map();
  let peak = 0;
  for (const line of journal.split('\n')) {
    if (line === '') continue;
    const { node } = JSON.parse(line);
    if (node === undefined) continue;
    const { uuid, provision_state: state } = node.fields;
    if (deploying.has(state) && !deploying.has(states.get(uuid)))
      deployments.set(uuid, (deployments.get(uuid) ?? 0) + 1);
    states.set(uuid, state);
    peak = Math.max(peak, [...states.values()].filter((each) => busyStates.test(each)).length);
  }
  const counts = [0, ...deployments.values()];
  return { peak, nodes: states.size, deployed: deployments.size, most: Math.max(...counts) };
}

function memoryOf(pid) {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

const file = join(folder, 'hosts.json');
writeFileSync(
  file,
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: Array.from({ length: hosts }, (_, index) => manifest(index)).flat(),
  }),
);
const args = ['--data', join(folder, 'data'), '--limit', String(limit), '--phase-seconds', '0.2'];
const started = performance.now();
const child = spawn(
  process.execPath,
  ['--import', fastTime, program, 'up', '-f', file, ...args, '--until', 'provisioned', '--timeout', `${180 * speed}s`],
  { env: { ...process.env, FAST_TIME: String(speed) }, stdio: ['ignore', 'pipe', 'pipe'] },
);
let [said, warned, memory] = ['', '', 0];
child.stdout.on('data', (chunk) => (said += chunk));
child.stderr.on('data', (chunk) => (warned = `${warned}${chunk}`.slice(-2000)));
const sampler = setInterval(() => {
  try {
    memory = Math.max(memory, memoryOf(child.pid));
  } catch {
    // It has just ended.
  }
}, 200);
const code = await new Promise((resolve) => child.once('close', resolve));
clearInterval(sampler);
const { peak, nodes, deployed, most } = replay(readFileSync(join(folder, 'data', 'ironic', 'ironic.jsonl'), 'utf8'));
rmSync(folder, { recursive: true, force: true });

const seconds = Math.round((performance.now() - started) / 1000);
const checks = [
  [`ends well: ${said.trim().split('\n').at(-1)}`, code === 0],
  [`one node for each host: ${nodes}`, nodes === hosts],
  [`each is deployed once: ${deployed}, at most ${most} times`, deployed === hosts && most === 1],
  [`busy at once: ${peak} of ${limit}`, peak > 0 && peak <= limit],
  [`memory at its peak: ${Math.round(memory)} of ${maxMemory} MiB`, memory > 0 && memory <= maxMemory],
];
for (const [what, isRight] of checks) console.log(`${isRight ? 'ok  ' : 'FAIL'} ${what}`);
if (warned !== '') console.log(`the end of its log: ${warned}`);
console.log(`${hosts} hosts in ${seconds} s`);
process.exitCode = checks.every(([, isRight]) => isRight) ? 0 : 1;
