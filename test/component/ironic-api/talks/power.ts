import type { Talk } from '../talk.js';

/** Power and maintenance, on hardware that is not there. */
export async function power(talk: Talk): Promise<void> {
  talk.identify('@node');
  const fakes = ['boot', 'deploy', 'rescue', 'console', 'inspect'].map((kind) => [`${kind}_interface`, 'fake']);
  await talk.quietly('POST /v1/nodes', { driver: 'fake-hardware', uuid: '@node', ...Object.fromEntries(fakes) });
  const path = '/v1/nodes/@node/states/power';
  await talk.ask('on before it was managed', `PUT ${path}`, { target: 'power on' });
  await talk.settle('@node');
  await talk.go('@node', { target: 'manage' }, 'manageable');
  for (const target of ['power on', 'power on', 'power off', 'rebooting', 'soft power off', 'soft rebooting']) {
    const step = target in talk.transcript ? `${target} again` : target;
    await talk.ask(step, `PUT ${path}`, { target });
    await talk.settle('@node');
    await talk.ask(`states after ${step}`, 'GET /v1/nodes/@node/states');
  }
  await talk.askAll([
    ['an unknown target', `PUT ${path}`, { target: 'fly' }],
    ['a target that is null', `PUT ${path}`, { target: null }],
    ['a target that is a number', `PUT ${path}`, { target: 5 }],
    ['no target', `PUT ${path}`, {}],
    ['no body', `PUT ${path}`],
    ['a list', `PUT ${path}`, []],
    ['no JSON', `PUT ${path}`, '{'],
    ['an unknown member', `PUT ${path}`, { target: 'power on', colour: 1 }],
    ['no time at all', `PUT ${path}`, { target: 'power off', timeout: 0 }],
    ['a time that is none', `PUT ${path}`, { target: 'power off', timeout: 'soon' }],
    ['a time in an old version', `PUT ${path}`, { target: 'power off', timeout: 5 }, { version: '1.26' }],
    ['softly in an old version', `PUT ${path}`, { target: 'soft power off' }, { version: '1.26' }],
    ['a time', `PUT ${path}`, { target: 'power off', timeout: 5 }],
  ]);
  await talk.settle('@node');
  for (const [mode, target] of [
    ['boot_mode', 'uefi'],
    ['secure_boot', true],
  ] as const) {
    await talk.ask(mode, `PUT /v1/nodes/@node/states/${mode}`, { target });
    await talk.settle('@node');
    await talk.ask(`after ${mode}`, 'GET /v1/nodes/@node?fields=boot_mode,secure_boot,last_error');
  }
  await talk.askAll([
    ['an unknown node', 'PUT /v1/nodes/@ghost/states/power', { target: 'power on' }],
    ['maintenance', 'PUT /v1/nodes/@node/maintenance', { reason: 'because' }],
    ['in maintenance', 'GET /v1/nodes/@node'],
    ['maintenance for another reason', 'PUT /v1/nodes/@node/maintenance', { reason: 'otherwise' }],
    ['maintenance without a reason', 'PUT /v1/nodes/@node/maintenance'],
    ['maintenance with a reason that is none', 'PUT /v1/nodes/@node/maintenance', { reason: 5 }],
    ['maintenance with an unknown member', 'PUT /v1/nodes/@node/maintenance', { why: 'x' }],
    ['in maintenance without a reason', 'GET /v1/nodes/@node?fields=maintenance,maintenance_reason,fault'],
    ['maintenance of an unknown node', 'PUT /v1/nodes/@ghost/maintenance', {}],
    ['power in maintenance', `PUT ${path}`, { target: 'power on' }],
  ]);
  await talk.walk('cleaning in maintenance', '@node', { target: 'provide' }, 'available');
  await talk.askAll([
    ['a deployment in maintenance', 'PUT /v1/nodes/@node/states/provision', { target: 'active' }],
    ['maintenance off', 'DELETE /v1/nodes/@node/maintenance'],
    ['maintenance off again', 'DELETE /v1/nodes/@node/maintenance'],
    ['out of maintenance', 'GET /v1/nodes/@node'],
    ['never to be off', 'PATCH /v1/nodes/@node', [{ op: 'replace', path: '/disable_power_off', value: true }]],
    ['off all the same', `PUT ${path}`, { target: 'power off' }],
    ['softly off all the same', `PUT ${path}`, { target: 'soft power off' }],
    ['a reboot all the same', `PUT ${path}`, { target: 'rebooting' }],
  ]);
  await talk.settle('@node');
  await talk.ask('after all that', 'GET /v1/nodes/@node');
}
