import type { Talk } from '../talk.js';
import { enroll } from './life.js';

const numLock = (value: string) => [
  { interface: 'bios', step: 'apply_configuration', args: { settings: [{ name: 'NumLock', value }] } },
];
const looked =
  'GET /v1/nodes/@node?fields=provision_state,power_state,last_error,maintenance,fault,clean_step,service_step';

/** Steps on request: cleaning of a managed node, service of a running one. */
export async function cleaningAndService(talk: Talk): Promise<void> {
  await enroll(talk, '@node', '', { automated_clean: false });
  await talk.go('@node', { target: 'manage' }, 'manageable');
  const clean = { target: 'clean', clean_steps: numLock('Off') };
  await talk.walk('a setting', '@node', clean, 'manageable');
  await talk.ask('after a setting', looked);
  await talk.ask('the setting', 'GET /v1/nodes/@node/bios/NumLock', undefined, { keys: true });
  await talk.walk('adopt', '@node', { target: 'adopt' }, 'active');
  await talk.ask('adopted', 'GET /v1/nodes/@node');
  const put = 'PUT /v1/nodes/@node/states/provision';
  await talk.askAll([
    ['service without steps', put, { target: 'service' }],
    ['service with no steps', put, { target: 'service', service_steps: [] }],
    ['service on an unknown interface', put, { target: 'service', service_steps: [{ interface: 'x', step: 'x' }] }],
    ['service on no interface', put, { target: 'service', service_steps: [{ step: 'x' }] }],
    ['service with steps of cleaning', put, { target: 'service', clean_steps: numLock('On') }],
  ]);
  const service = { target: 'service', service_steps: numLock('On') };
  await talk.walk('service', '@node', service, 'active', 'service failed');
  await talk.ask('after service', looked);
}
