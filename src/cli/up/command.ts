/** The flags of `ironchart up`. */
import type { Command } from '../flags.js';

const goals = ['registering', 'inspecting', 'preparing', 'available', 'provisioning', 'provisioned'];

export const upCommand: Command = {
  name: 'up',
  summary: 'Run everything here: a Kubernetes API, an Ironic, the operator, and a rack of hosts.',
  usage: '[-f FILE]... [--empty] [--until STATE] [flags]',
  flags: {
    file: {
      value: 'FILE',
      short: 'f',
      repeats: true,
      help: 'Manifests to apply; - reads standard input. Default: a rack of six hosts.',
    },
    empty: { help: 'Apply nothing.' },
    until: { value: 'STATE', choices: goals, help: 'End as soon as every host that can get there is in this state.' },
    timeout: { value: 'DURATION', default: '2m', help: 'How long --until waits.' },
    provisioner: {
      value: 'NAME',
      default: 'ironic',
      help: 'Back end: ironic, fixture, demo, or the name of a plugin.',
    },
    'plugin-dir': { value: 'DIR', default: '/plugins', help: 'Where provisioners of third parties lie.' },
    kubeconfig: { value: 'FILE', help: 'Where the kubeconfig is written.' },
    'kube-port': { value: 'PORT', default: '0', help: 'Port of the Kubernetes API, on loopback; 0 is a free one.' },
    'ironic-port': { value: 'PORT', default: '0', help: 'Port of the Ironic, on loopback; 0 is a free one.' },
    data: { value: 'DIR', help: 'Keep the state of both servers here, and go on from it.' },
    faults: { value: 'FILE', help: 'What is to go wrong in the embedded Ironic.' },
    'phase-seconds': { value: 'SECONDS', default: '1', help: 'How long each phase of a machine takes.' },
    limit: { value: 'N', default: '20', help: 'How many hosts may be worked on at once.' },
    'build-preprov-image': { help: 'Each host boots an agent image of its own, a PreprovisioningImage.' },
    switches: { help: 'Look after BareMetalSwitches; the Secrets for Ironic are made where the manifests have some.' },
    inspect: { help: 'Stream the charts to the Stately inspector, on loopback.' },
    'log-level': {
      value: 'LEVEL',
      default: 'warn',
      choices: ['debug', 'info', 'warn', 'error', 'silent'],
      help: 'What the log on standard error holds.',
    },
  },
  // What it needs is much, and only loaded when it runs.
  run: async (args) => (await import('./up.js')).up(args),
};
