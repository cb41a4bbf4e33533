/** The flags of `ironchart run`. */
import type { Environment } from '../config/ironic.js';
import type { Command } from './flags.js';
import { webhookFlags } from './webhook-flags.js';

export function runCommand(environment: Environment): Command {
  return {
    name: 'run',
    summary: 'Run the operator against a cluster (KUBECONFIG, or from within) and an Ironic (IRONIC_ENDPOINT).',
    usage: '[flags]',
    flags: {
      kubeconfig: { value: 'FILE', help: 'Default: KUBECONFIG, the home folder, or the pod itself.' },
      namespace: { value: 'NAMES', help: 'Namespaces to watch, with commas. Default: WATCH_NAMESPACE, else all.' },
      provisioner: {
        value: 'NAME',
        default: 'ironic',
        help: 'Back end: ironic, fixture, demo, or the name of a plugin.',
      },
      'plugin-dir': {
        value: 'DIR',
        help: 'Where provisioners of third parties lie. Default: PROVISIONER_PLUGIN_DIR, else /plugins.',
      },
      'health-addr': { value: 'ADDRESS', default: ':9440', help: 'Probes, plain HTTP; 0: none.' },
      'metrics-addr': { value: 'ADDRESS', default: '127.0.0.1:8080', help: 'Metrics; 0: none.' },
      'metrics-secure': {
        value: 'WORD',
        default: 'auto',
        choices: ['auto', 'true', 'false'],
        help: 'Metrics by HTTPS, to whoever shows a token that may get /metrics. auto: unless they are on loopback.',
      },
      'metrics-cert-dir': {
        value: 'DIR',
        default: '/tmp/k8s-metrics-server/serving-certs',
        help: 'Holds tls.crt and tls.key for the metrics, read again when they change; else one is made.',
      },
      ...webhookFlags,
      'enable-leader-election': { help: 'Work only while holding the Lease.' },
      'lease-duration-seconds': { value: 'N', help: 'Default: LEASE_DURATION_SECONDS, else 15.' },
      'renew-deadline-seconds': { value: 'N', help: 'Default: RENEW_DEADLINE_SECONDS, else 10.' },
      'retry-period-seconds': { value: 'N', help: 'Default: RETRY_PERIOD_SECONDS, else 2.' },
      'controller-concurrency': {
        value: 'N',
        default: '0',
        help: 'Hosts at a time; 0: BMO_CONCURRENCY, else by processors.',
      },
      'kube-api-qps': { value: 'N', default: '100', help: 'Writes a second; 0: unbounded.' },
      'kube-api-burst': { value: 'N', default: '200', help: 'Writes at once.' },
      'max-provisioning-retries': { value: 'N', default: '5', help: 'Tries at one image; 0: unlimited.' },
      'build-preprov-image': { help: 'Each host boots an agent image of its own: DEPLOY_*, else others build it.' },
      hostclaims: { help: 'Give hosts to HostClaims, as HostDeployPolicies allow.' },
      dev: { help: 'Log everything.' },
      'log-level': {
        value: 'LEVEL',
        default: 'info',
        choices: ['debug', 'info', 'warn', 'error', 'silent'],
        help: 'What the log on standard error holds.',
      },
      inspect: { help: 'Stream the charts to the Stately inspector, on loopback.' },
    },
    // What it needs is much, and only loaded when it runs.
    run: async (args) => (await import('./run.js')).run(args, environment),
  };
}
