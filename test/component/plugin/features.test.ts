/** What the operator's flags say to a provisioner of a third party, in a process of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { runProgram, UpFolder } from '../../support/up-process.js';

const folder = new UpFolder();
afterAll(() => folder.remove());

/** It goes no further than its start, where it tells what it was given. */
const telltale = `
export const pluginName = 'telltale';
export const contractVersion = 1;
export function newProvisionerFactory({ features }) {
  throw new Error('given: ' + JSON.stringify(features));
}
`;

/** Nobody is there: a plugin is loaded before the cluster is asked for anything. */
const kubeconfig = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'none', cluster: { server: 'http://127.0.0.1:9' } }],
  users: [{ name: 'nobody', user: {} }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'nobody' } }],
  'current-context': 'none',
});

describe('a plugin', () => {
  it.each([
    ['--build-preprov-image', true],
    ['', false],
  ])(
    'is told whether agent images are built (%s)',
    async (flag, isBuilt) => {
      writeFileSync(join(folder.path, 'telltale-provisioner.mjs'), telltale);
      writeFileSync(join(folder.path, 'kubeconfig'), kubeconfig);
      const place = ['--plugin-dir', folder.path, '--kubeconfig', join(folder.path, 'kubeconfig')];
      const flags = flag === '' ? [] : [flag];
      const { code, stderr } = await runProgram(['run', '--provisioner', 'telltale', ...place, ...flags], 1);
      expect(stderr).toContain(`given: {"preprovisioningImage":${isBuilt}}`);
      expect(code).toBe(2);
    },
    30_000,
  );
});
