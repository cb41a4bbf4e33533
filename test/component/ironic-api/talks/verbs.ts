import type { Talk } from '../talk.js';

const steps = [{ interface: 'deploy', step: 'erase_devices' }];

/** Each verb with what it needs. */
export const everyVerb: Readonly<Record<string, object>> = {
  manage: {},
  provide: {},
  inspect: {},
  active: {},
  rebuild: {},
  deleted: {},
  adopt: {},
  abort: {},
  clean: { clean_steps: steps },
  service: { service_steps: steps },
  unhold: {},
};

/** Asks a node for everything that its state does not take. */
export async function refused(talk: Talk, state: string, word: string, ...taken: string[]): Promise<void> {
  for (const [target, extra] of Object.entries(everyVerb)) {
    if (taken.includes(target)) continue;
    await talk.ask(`${target} in ${state}`, `PUT /v1/nodes/${word}/states/provision`, { target, ...extra });
  }
}

/** Each verb in each state, on hardware that is not there. */
export async function verbs(talk: Talk): Promise<void> {
  talk.identify('@node');
  const fakes = ['boot', 'deploy', 'rescue', 'console', 'inspect'].map((kind) => [`${kind}_interface`, 'fake']);
  await talk.quietly('POST /v1/nodes', { driver: 'fake-hardware', uuid: '@node', ...Object.fromEntries(fakes) });
  const path = 'PUT /v1/nodes/@node/states/provision';
  await refused(talk, 'enroll', '@node', 'manage');
  const drive = { target: 'active', configdrive: 'not base64!' };
  await talk.askAll([
    ['an unknown verb', path, { target: 'fly' }],
    ['no verb', path, {}],
    ['no body', path],
    ['a list', path, []],
    ['no JSON', path, '{'],
    ['a verb that is null', path, { target: null }],
    ['a verb that is a number', path, { target: 5 }],
    ['a member that is unknown', path, { target: 'manage', colour: 1 }],
    ['a verb with steps of another', path, { target: 'manage', clean_steps: steps }],
    ['a verb with a config drive', path, { target: 'manage', configdrive: 'abc=' }],
    ['an unknown node', 'PUT /v1/nodes/@ghost/states/provision', { target: 'manage' }],
    ['a verb before it was known', path, { target: 'manage' }, { version: '1.3' }],
    ['adoption before it was known', path, { target: 'adopt' }, { version: '1.16' }],
    ['service before it was known', path, { target: 'service' }, { version: '1.86' }],
  ]);
  await talk.walk('manage', '@node', { target: 'manage' }, 'manageable');
  await talk.ask('managed', 'GET /v1/nodes/@node');
  await refused(talk, 'manageable', '@node', 'provide', 'inspect', 'clean', 'adopt');
  await talk.walk('inspect', '@node', { target: 'inspect' }, 'manageable');
  await talk.ask('inspected', 'GET /v1/nodes/@node');
  await talk.ask('no inventory', 'GET /v1/nodes/@node/inventory');
  await talk.askAll([
    ['cleaning without steps', path, { target: 'clean' }],
    ['cleaning with no steps', path, { target: 'clean', clean_steps: [] }],
    ['cleaning with steps that are none', path, { target: 'clean', clean_steps: 'all' }],
    ['cleaning on an unknown interface', path, { target: 'clean', clean_steps: [{ interface: 'nosuch', step: 'x' }] }],
    ['cleaning on no interface', path, { target: 'clean', clean_steps: [{ step: 'x' }] }],
    ['cleaning without the name of a step', path, { target: 'clean', clean_steps: [{ interface: 'deploy' }] }],
    ['cleaning with an unknown member', path, { target: 'clean', clean_steps: [{ ...steps[0], colour: 1 }] }],
    ['cleaning with arguments that are none', path, { target: 'clean', clean_steps: [{ ...steps[0], args: 'x' }] }],
    ['cleaning with steps of deployment', path, { target: 'clean', deploy_steps: steps }],
  ]);
  const unknown = { target: 'clean', clean_steps: [{ interface: 'deploy', step: 'nosuch' }] };
  await talk.walk('an unknown step', '@node', unknown, 'clean failed');
  await talk.ask('clean failed', 'GET /v1/nodes/@node');
  await refused(talk, 'clean failed', '@node', 'manage', 'clean');
  await talk.walk('manage from clean failed', '@node', { target: 'manage' }, 'manageable');
  await talk.ask('managed again', 'GET /v1/nodes/@node');
  await talk.quietly('PUT /v1/nodes/@node/maintenance', {});
  await talk.ask('cleaning in maintenance', path, { target: 'clean', clean_steps: steps });
  await talk.settle('@node');
  await talk.quietly('DELETE /v1/nodes/@node/maintenance');
  await talk.walk('provide', '@node', { target: 'provide' }, 'available');
  await talk.ask('available', 'GET /v1/nodes/@node');
  await refused(talk, 'available', '@node', 'active', 'manage', 'provide');
  await talk.askAll([
    ['a config drive that is none', path, drive],
    ['a config drive with an unknown member', path, { target: 'active', configdrive: { colour: 1 } }],
    ['a config drive with texts for objects', path, { target: 'active', configdrive: { meta_data: 'x' } }],
    ['a config drive that is a number', path, { target: 'active', configdrive: 5 }],
    [
      'a config drive in an old version',
      path,
      { target: 'active', configdrive: { meta_data: {} } },
      { version: '1.55' },
    ],
    ['deployment with steps of cleaning', path, { target: 'active', clean_steps: steps }],
    ['deployment without a priority', path, { target: 'active', deploy_steps: [{ interface: 'deploy', step: 'x' }] }],
    ['deployment on an unknown interface', path, { target: 'active', deploy_steps: [{ interface: 'x', step: 'x' }] }],
  ]);
  const image = [{ op: 'add', path: '/instance_info/image_source', value: '@image' }];
  await talk.quietly('PATCH /v1/nodes/@node', image);
  await talk.walk('active', '@node', { target: 'active' }, 'active');
  await talk.ask('deployed', 'GET /v1/nodes/@node');
  await refused(talk, 'active', '@node', 'deleted', 'rebuild', 'service');
  await talk.ask('deletion of an active node', 'DELETE /v1/nodes/@node');
  await talk.ask('another interface when active', 'PATCH /v1/nodes/@node', [
    { op: 'replace', path: '/boot_interface', value: 'pxe' },
  ]);
  await talk.ask('protection', 'PATCH /v1/nodes/@node', [{ op: 'replace', path: '/protected', value: true }]);
  await talk.ask('undeployment under protection', path, { target: 'deleted' });
  await talk.ask('rebuilding under protection', path, { target: 'rebuild' });
  await talk.settle('@node');
  await talk.ask('deletion under protection', 'DELETE /v1/nodes/@node');
  await talk.quietly('PATCH /v1/nodes/@node', [{ op: 'replace', path: '/protected', value: false }]);
  await talk.walk('rebuild', '@node', { target: 'rebuild' }, 'active');
  await talk.walk('deleted', '@node', { target: 'deleted' }, 'available');
  await talk.ask('undeployed', 'GET /v1/nodes/@node');
  await talk.walk('manage from available', '@node', { target: 'manage' }, 'manageable');
  await talk.walk('adopt', '@node', { target: 'adopt' }, 'active');
  await talk.ask('adopted', 'GET /v1/nodes/@node');
  await talk.walk('deletion by its newer name', '@node', { target: 'undeploy' }, 'available');
  await talk.walk('deployment by its newer name', '@node', { target: 'deploy' }, 'active');
}
