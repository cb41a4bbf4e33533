/** The flags of the admission server. */
import type { Flag } from './flags.js';

export const webhookFlags = {
  'webhook-port': {
    value: 'N',
    help: 'Admission webhooks, HTTPS; 0: none. Default 9443 where there is a certificate, else none.',
  },
  'webhook-cert-dir': {
    value: 'DIR',
    default: '/tmp/k8s-webhook-server/serving-certs',
    help: 'Holds tls.crt and tls.key; read again when they change.',
  },
  'webhook-service': {
    value: 'NAME',
    help: 'Make and renew the certificate for this Service in POD_NAMESPACE, and keep it in the Secret of that name.',
  },
  'webhook-configuration': {
    value: 'NAME',
    help: 'ValidatingWebhookConfiguration that is to trust it. Needed with --webhook-service.',
  },
  'tls-min-version': { value: 'VERSION', default: 'TLS12', help: 'Of webhooks and metrics: TLS12 or TLS13.' },
  'tls-max-version': { value: 'VERSION', default: 'TLS13', help: 'Of webhooks and metrics: TLS12 or TLS13.' },
  'tls-cipher-suites': {
    value: 'NAMES',
    help: 'Of webhooks and metrics in TLS 1.2, by their IANA names, with commas.',
  },
  'tls-curve-preferences': {
    value: 'NAMES',
    help: 'Of webhooks and metrics, with commas: X25519, CurveP256, and so on.',
  },
} satisfies Record<string, Flag>;
