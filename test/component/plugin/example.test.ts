/** The example of a provisioner of one's own, in a process of its own, as its author would run it. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { runProgram, UpFolder } from '../../support/up-process.js';

const examples = fileURLToPath(new URL('../../../examples/plugin', import.meta.url));
const folder = new UpFolder();
afterAll(() => folder.remove());

const up = (name: string, plugins: string) =>
  runProgram(['up', '--provisioner', name, '--plugin-dir', plugins, '--until', 'provisioned', '--timeout', '60s'], 4);

describe('the example of a plugin', () => {
  it('takes the rack of hosts through their life, from a folder that knows nothing of the operator', async () => {
    cpSync(examples, join(folder.path, 'plugins'), { recursive: true });
    const { code, stdout, stderr } = await up('rack', join(folder.path, 'plugins'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/6 of 6 hosts are provisioned/);
  }, 90_000);

  it('is refused in words where it throws as it loads, before any server is asked', async () => {
    writeFileSync(
      join(folder.path, 'broken-provisioner.mjs'),
      "import { nothing } from 'ironchart/provisioner';\nnothing();",
    );
    const { code, stderr } = await up('broken', folder.path);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--provisioner: .*broken-provisioner\.mjs cannot be loaded: .*nothing.*; mend the plugin/s);
    expect(stderr).not.toMatch(/\n\s+at /);
  }, 30_000);
});
