/** Writes the CRD manifests down as YAML, one file a kind. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { apiGroup, customResourceDefinitions } from '../apis/index.js';

export interface RenderedFile {
  /** Name without a folder. */
  readonly file: string;
  readonly text: string;
}

const head = '# Made from the schemas in src/apis by "npm run crds". Edit those.\n';

export function renderCRDs(): RenderedFile[] {
  return customResourceDefinitions().map((crd) => ({
    file: `${apiGroup}_${crd.spec.names.plural}.yaml`,
    text: head + stringify(crd, { aliasDuplicateObjects: false, lineWidth: 120 }),
  }));
}

/** @returns the paths written. */
export async function writeCRDs(directory: string): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  return Promise.all(
    renderCRDs().map(async ({ file, text }) => {
      const path = join(directory, file);
      await writeFile(path, text);
      return path;
    }),
  );
}
