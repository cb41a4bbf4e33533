/** The modules that are of use without the operator: packed, installed in an empty folder, compiled against, run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

jest.setTimeout(180_000);

const root = resolve(import.meta.dirname, '../../..');

const consumers = {
  apis: {
    packages: ['zod'],
    source: `
      import { bareMetalHostSchema, customResourceDefinitions, kinds, type BareMetalHost } from 'ironchart-apis';
      const host: BareMetalHost = bareMetalHostSchema.parse({ metadata: { name: 'h' }, spec: { online: true } });
      const { group, plural } = kinds.hostFirmwareSettings;
      console.log(JSON.stringify([host.spec.online, \`\${plural}.\${group}\`, customResourceDefinitions().length]));`,
    mistake: `import { kinds } from 'ironchart-apis'; console.log(kinds.noSuchKind);`,
    refused: /mistake\.ts.*error TS2339.*noSuchKind/,
    says: [true, 'hostfirmwaresettings.metal3.io', 13],
  },
  hardware: {
    packages: [],
    source: `
      import { accessDetails, type AccessDetails } from 'ironchart-hardware';
      const details: AccessDetails = accessDetails('redfish-virtualmedia://bmc.example.com/redfish/v1/Systems/1');
      console.log(JSON.stringify([details.driver, details.supportsISOPreprovisioningImage]));`,
    mistake: `import { accessDetails } from 'ironchart-hardware'; accessDetails(5);`,
    refused: /mistake\.ts.*error TS2345/,
    says: ['redfish', true],
  },
};

describe.each(Object.entries(consumers))(
  'the module %s by itself',
  (name, { packages, source, mistake, refused, says }) => {
    let folder: string;
    let compiled: { status: number | null; complaints: string[] };
    const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
    /** Both at once: most of the compiler's time goes into the types that they share. What is right is emitted all the same. */
    const compile = (...files: string[]) => {
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const options = ['--strict', '--module', 'NodeNext', '--target', 'ES2022', '--lib', 'ES2023,DOM'];
      const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, ...files], {
        cwd: folder,
        encoding: 'utf8',
      });
      return { status, complaints: stdout.split('\n').filter((line) => line !== '') };
    };

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'ironchart-module-'));
      writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
      const script = join(root, 'scripts/pack-module.mjs');
      const packed = execFileSync(process.execPath, [script, name, folder], { encoding: 'utf8' }).trim();
      // What it depends on comes from where it is installed already, so that no registry is asked.
      const needed = packages.map((each) => join(root, 'node_modules', each));
      npm('install', '--offline', '--install-links', '--no-audit', '--no-fund', packed, ...needed);
      writeFileSync(join(folder, 'consumer.ts'), source);
      writeFileSync(join(folder, 'mistake.ts'), mistake);
      compiled = compile('consumer.ts', 'mistake.ts');
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('installs with what it imports, and nothing else', () => {
      const installed = readdirSync(join(folder, 'node_modules')).filter((each) => !each.startsWith('.'));
      expect(installed.sort()).toEqual([`ironchart-${name}`, ...packages].sort());
      const { dependencies = {} } = JSON.parse(
        readFileSync(join(folder, 'node_modules', `ironchart-${name}`, 'package.json'), 'utf8'),
      ) as { dependencies?: Record<string, string> };
      expect(Object.keys(dependencies)).toEqual(packages);
    });

    it('has types, and runs', () => {
      expect(compiled.complaints.filter((line) => !line.startsWith('mistake.ts'))).toEqual([]);
      const said = execFileSync(process.execPath, ['consumer.js'], { cwd: folder, encoding: 'utf8' });
      expect(JSON.parse(said)).toEqual(says);
    });

    it('has types that refuse a mistake', () => {
      expect(compiled.status).not.toBe(0);
      expect(compiled.complaints.filter((line) => line.startsWith('mistake.ts'))).toEqual([
        expect.stringMatching(refused),
      ]);
    });
  },
);

describe('packing a module', () => {
  it('refuses a folder that is none', () => {
    const script = join(root, 'scripts/pack-module.mjs');
    const pack = () => execFileSync(process.execPath, [script, 'toString', tmpdir()], { stdio: 'pipe' });
    expect(pack).toThrow(/usage: pack-module/);
  });
});
