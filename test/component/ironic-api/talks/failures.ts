import type { Talk } from '../talk.js';
import { enroll } from './life.js';
import { refused } from './verbs.js';

/** What goes wrong for reasons of the machine or of what was asked. */
export async function failures(talk: Talk): Promise<void> {
  talk.identify('@bare');
  await talk.quietly('POST /v1/nodes', { driver: 'redfish', uuid: '@bare' });
  await talk.walk('manage without an address', '@bare', { target: 'manage' }, 'enroll');
  await talk.ask('without an address', 'GET /v1/nodes/@bare');
  await enroll(talk, '@node', '', { deploy_interface: 'ramdisk' });
  const password = (value: string) => [{ op: 'add', path: '/driver_info/redfish_password', value }];
  await talk.quietly('PATCH /v1/nodes/@node', password('wrong'));
  await talk.walk('manage with a wrong password', '@node', { target: 'manage' }, 'enroll');
  await talk.ask('with a wrong password', 'GET /v1/nodes/@node');
  await talk.quietly('PATCH /v1/nodes/@node', password('@password'));
  await talk.walk('manage with the right password', '@node', { target: 'manage' }, 'manageable');
  await talk.walk('adopt without an image', '@node', { target: 'adopt' }, 'adopt failed');
  await talk.ask('adopt failed', 'GET /v1/nodes/@node');
  await refused(talk, 'adopt failed', '@node', 'adopt', 'manage');
  await talk.walk('manage from adopt failed', '@node', { target: 'manage' }, 'manageable');
}
