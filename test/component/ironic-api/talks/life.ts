import type { Machine } from '../../../support/ironic-api/target.js';
import type { Talk } from '../talk.js';
import { refused } from './verbs.js';

/** A Redfish node with a port for its agent. */
export async function enroll(talk: Talk, word: string, number = '', change: object = {}): Promise<Machine> {
  talk.identify(word);
  const machine = talk.target.machine();
  const driver_info = talk.introduce(machine, number);
  await talk.quietly('POST /v1/nodes', {
    ...{ driver: 'redfish', uuid: word, boot_interface: 'redfish-virtual-media', driver_info },
    ...{ properties: { capabilities: 'boot_mode:uefi', cpu_arch: 'x86_64' } },
    ...change,
  });
  await talk.quietly('POST /v1/ports', { node_uuid: word, address: `@mac${number}` });
  return machine;
}

export const image = Object.entries({
  image_source: '@image',
  image_os_hash_algo: 'sha256',
  image_os_hash_value: '@digest',
  image_disk_format: 'raw',
}).map(([key, value]) => ({ op: 'add', path: `/instance_info/${key}`, value }));

/** Follows a node into a state of waiting and asks it for everything that it does not take there. */
async function whileWaiting(talk: Talk, state: string, ...taken: string[]): Promise<void> {
  await talk.follow('@node', [state]);
  await talk.settle('@node');
  await talk.ask(`a change in ${state}`, 'PATCH /v1/nodes/@node', [{ op: 'add', path: '/extra/k', value: 1 }]);
  await talk.ask(`power in ${state}`, 'PUT /v1/nodes/@node/states/power', { target: 'fly' });
  await refused(talk, state, '@node', ...taken);
}

/** A Redfish machine with an agent, from its enrolment to its deletion. */
export async function life(talk: Talk): Promise<void> {
  await enroll(talk, '@node');
  await talk.ask('enrolled', 'GET /v1/nodes/@node');
  await talk.walk('manage', '@node', { target: 'manage' }, 'manageable');
  await talk.ask('managed', 'GET /v1/nodes/@node');
  await talk.walk('inspect', '@node', { target: 'inspect' }, 'manageable');
  await talk.askAll([
    [
      'inspected',
      'GET /v1/nodes/@node?fields=provision_state,power_state,last_error,inspection_started_at,inspection_finished_at,boot_mode',
    ],
    ['what it has', 'GET /v1/nodes/@node?fields=properties', undefined, { shape: true }],
    ['its ports', 'GET /v1/ports?node=@node&detail=true', undefined, { shape: true }],
  ]);
  const { body } = await talk.ask('its inventory', 'GET /v1/nodes/@node/inventory', undefined, { shape: true });
  talk.abridge('its inventory', Object.keys(body));
  await talk.walk('provide', '@node', { target: 'provide' }, 'available');
  await talk.ask('no image yet', 'PUT /v1/nodes/@node/states/provision', { target: 'active' });
  await talk.ask('validation without an image', 'GET /v1/nodes/@node/validate');
  await talk.settle('@node');
  await talk.ask('an image without a digest', 'PATCH /v1/nodes/@node', image.slice(0, 1));
  await talk.ask('no digest', 'PUT /v1/nodes/@node/states/provision', { target: 'active' });
  await talk.settle('@node');
  await talk.ask('an image', 'PATCH /v1/nodes/@node', image);
  await talk.ask('an instance', 'PATCH /v1/nodes/@node', [{ op: 'add', path: '/instance_uuid', value: '@ghost' }]);
  await talk.ask('validation', 'GET /v1/nodes/@node/validate');
  const configdrive = { meta_data: { name: 'a' }, user_data: '#cloud-config\n{}\n', network_data: {} };
  await talk.walk('active', '@node', { target: 'active', configdrive } as { target: string }, 'active');
  await talk.ask(
    'deployed',
    'GET /v1/nodes/@node?fields=provision_state,power_state,last_error,instance_uuid,instance_info',
  );
  await talk.ask('states', 'GET /v1/nodes/@node/states');
  for (const target of ['power off', 'power on', 'soft rebooting', 'soft power off', 'rebooting']) {
    await talk.ask(target, 'PUT /v1/nodes/@node/states/power', { target });
    await talk.settle('@node');
    await talk.ask(`after ${target}`, 'GET /v1/nodes/@node?fields=power_state,target_power_state,last_error');
  }
  await talk.walk('rebuild', '@node', { target: 'rebuild' }, 'active');
  await talk.walk('deleted', '@node', { target: 'deleted' }, 'available');
  await talk.ask(
    'available again',
    'GET /v1/nodes/@node?fields=provision_state,power_state,last_error,instance_uuid,instance_info',
  );
  await talk.ask('deletion', 'DELETE /v1/nodes/@node');
  await talk.ask('no more', 'GET /v1/nodes/@node');
}

/** What is broken off while it waits for the agent. */
export async function interruptions(talk: Talk): Promise<void> {
  const machine = await enroll(talk, '@node');
  await machine.silenceAgent();
  const put = 'PUT /v1/nodes/@node/states/provision';
  await talk.go('@node', { target: 'manage' }, 'manageable');
  await talk.ask('inspect', put, { target: 'inspect' });
  await whileWaiting(talk, 'inspect wait', 'abort');
  await talk.walk('inspection aborted', '@node', { target: 'abort' }, 'inspect failed');
  await talk.ask('inspect failed', 'GET /v1/nodes/@node');
  await refused(talk, 'inspect failed', '@node', 'manage', 'inspect');
  await talk.walk('manage from inspect failed', '@node', { target: 'manage' }, 'manageable');
  await talk.ask('provide', put, { target: 'provide' });
  await whileWaiting(talk, 'clean wait', 'abort');
  await talk.walk('cleaning aborted', '@node', { target: 'abort' }, 'clean failed');
  await talk.ask('clean failed', 'GET /v1/nodes/@node');
  await talk.go('@node', { target: 'manage' }, 'manageable');
  await talk.quietly('PATCH /v1/nodes/@node', [{ op: 'add', path: '/automated_clean', value: false }]);
  await talk.walk('provide without cleaning', '@node', { target: 'provide' }, 'available');
  await talk.quietly('PATCH /v1/nodes/@node', image);
  await talk.ask('active', put, { target: 'active' });
  await whileWaiting(talk, 'wait call-back', 'abort', 'deleted');
  await talk.ask('abort in an old version', put, { target: 'abort' }, { version: '1.109' });
  await talk.walk('deployment aborted', '@node', { target: 'abort' }, 'deploy failed');
  await talk.ask('deploy failed', 'GET /v1/nodes/@node');
  await refused(talk, 'deploy failed', '@node', 'active', 'rebuild', 'deleted');
  await talk.ask('deletion of a failed node', 'DELETE /v1/nodes/@node');
  await talk.ask('active again', put, { target: 'active' });
  await talk.follow('@node', ['wait call-back']);
  await talk.walk('deleted in mid-deployment', '@node', { target: 'deleted' }, 'available');
}
