// Packs one of the modules that stand alone as a package of its own: `node scripts/pack-module.mjs apis|hardware FOLDER` prints
// the path of the tarball. It carries what its folder of src holds, compiled with types, and depends on what that imports.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const modules = {
  apis: { description: 'Kinds of metal3.io as zod schemas, types and CRD manifests.', dependencies: ['zod'] },
  hardware: { description: 'BMC addresses, drivers, hardware profiles and root devices.', dependencies: [] },
};

const [name, folder] = process.argv.slice(2);
const chosen = Object.hasOwn(modules, name ?? '') ? modules[name] : undefined;
if (chosen === undefined || folder === undefined) {
  process.stderr.write(`usage: pack-module.mjs ${Object.keys(modules).join('|')} FOLDER\n`);
  process.exit(2);
}

const whole = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'ironchart-pack-'));
try {
  compile();
  describe();
  copyFileSync(join(root, 'LICENSE'), join(work, 'LICENSE'));
  mkdirSync(folder, { recursive: true });
  const npm = ['pack', '--silent', '--pack-destination', resolve(folder)];
  const file = execFileSync('npm', npm, { cwd: work, encoding: 'utf8' }).trim();
  process.stdout.write(`${join(resolve(folder), file)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Whatever the module imports from outside its folder and its dependencies does not compile here. */
function compile() {
  const source = join(root, 'src', name);
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'));
  const compilerOptions = { noEmit: false, declaration: true, rootDir: source, outDir: join(work, 'dist') };
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [`${source}/**/*.ts`] };
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(work, 'tsconfig.json')], { stdio: ['ignore', 'inherit', 'inherit'] });
  rmSync(join(work, 'node_modules'));
}

function describe() {
  const { version, license, type, engines } = whole;
  const entry = { types: './dist/index.d.ts', default: './dist/index.js' };
  const dependencies = Object.fromEntries(chosen.dependencies.map((each) => [each, whole.dependencies[each]]));
  writeFileSync(
    join(work, 'package.json'),
    JSON.stringify({
      ...{ name: `ironchart-${name}`, version, description: chosen.description, license, type, engines },
      ...{ files: ['dist', 'LICENSE'], exports: { '.': entry }, dependencies },
    }),
  );
}
