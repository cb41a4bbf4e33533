/** Finds and loads a provisioner of a third party. Nothing of a cluster is touched before it stands. Provisioner spec, section 11. */
import { realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clock } from '../../clock.js';
import { InputError, messageOf } from '../../errors.js';
import type { ProvisionerFactory } from '../provisioner.js';
import { contractVersion, type PluginConfig, type PluginModule } from './contract.js';
import { GuardedFactory } from './guarded-factory.js';
import { within } from './within.js';

export interface PluginPlace {
  readonly name: string;
  /** Absolute, or from the working folder. */
  readonly folder: string;
  /** Loads a module by its URL. */
  readonly importModule: (url: string) => Promise<unknown>;
}

/** Milliseconds that a plugin has to load, and to make its factory. */
const patienceMs = 30_000;
const field = '--provisioner';
const elsewhere = 'give the folder of plugins by --plugin-dir';

/** @throws InputError that names the file and the fault */
export async function loadPlugin(place: PluginPlace, config: PluginConfig): Promise<ProvisionerFactory> {
  const path = await pathOf(place);
  const module = await loaded(place, path, config.clock);
  const factory = await madeFactory(module, path, config);
  const { size } = await stat(path);
  config.log.info(
    { plugin: place.name, path, bytes: size, contractVersion, capacityLimit: factory.capacityLimit },
    'a provisioner was loaded from a plugin',
  );
  return new GuardedFactory(place.name, factory, config.clock);
}

async function pathOf({ name, folder }: PluginPlace): Promise<string> {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) {
    throw refusal(`${JSON.stringify(name)} is no name of a plugin`, 'use small letters, digits and hyphens');
  }
  const path = join(resolve(folder), `${name}-provisioner.mjs`);
  const [real, root] = await Promise.all([existing(path), existing(folder)]);
  if (root === undefined) throw refusal(`the plugin folder ${folder} cannot be read`, elsewhere);
  if (real === undefined) throw refusal(`there is no plugin ${path}`, `put it there, or ${elsewhere}`);
  // Mounted volumes link into a folder of their own below the mount point.
  if (!real.startsWith(root + sep))
    throw refusal(`${path} leads out of the plugin folder`, 'put the file itself there');
  const { mode, isFile } = await kindOf(real);
  if (!isFile) throw refusal(`${path} is no file`, 'put an ES module there');
  if ((mode & 0o002) !== 0) throw refusal(`${path} can be changed by everybody`, 'take the right to write from others');
  return real;
}

async function existing(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}

async function kindOf(path: string): Promise<{ readonly mode: number; readonly isFile: boolean }> {
  const found = await stat(path);
  return { mode: found.mode, isFile: found.isFile() };
}

async function loaded({ name, importModule }: PluginPlace, path: string, clock: Clock): Promise<PluginModule> {
  let module: Partial<PluginModule>;
  try {
    module = (await within(clock, patienceMs, importModule(pathToFileURL(path).href))) as Partial<PluginModule>;
  } catch (error) {
    throw refusal(`${path} cannot be loaded: ${messageOf(error)}`, 'mend the plugin');
  }
  const problem = problemOf(module, name);
  if (problem !== undefined)
    throw refusal(`${path} ${problem}`, 'mend the plugin; docs/plugins.md says what it exports');
  return module as PluginModule;
}

function problemOf(module: Partial<PluginModule>, name: string): string | undefined {
  if (typeof module.pluginName !== 'string') return 'exports no pluginName that is a text';
  if (module.pluginName !== name)
    return `calls itself ${JSON.stringify(module.pluginName)}, not ${JSON.stringify(name)}`;
  if (module.contractVersion !== contractVersion) {
    return `was written for version ${String(module.contractVersion)} of the contract, and this is version ${contractVersion}`;
  }
  if (typeof module.newProvisionerFactory !== 'function') return 'exports no function newProvisionerFactory';
  return undefined;
}

async function madeFactory(module: PluginModule, path: string, config: PluginConfig): Promise<ProvisionerFactory> {
  let factory: Partial<ProvisionerFactory>;
  try {
    factory = await within(config.clock, patienceMs, Promise.resolve(module.newProvisionerFactory(config)));
  } catch (error) {
    throw refusal(`newProvisionerFactory of ${path} failed: ${messageOf(error)}`, 'mend the plugin or its settings');
  }
  const problem = factoryProblem(factory);
  if (problem !== undefined) throw refusal(`the factory of ${path} ${problem}`, 'mend the plugin');
  return factory as ProvisionerFactory;
}

function factoryProblem(factory: Partial<ProvisionerFactory> | undefined): string | undefined {
  if (typeof factory !== 'object' || (factory as unknown) === null) return 'is no object';
  const { capacityLimit } = factory;
  if (typeof capacityLimit !== 'number' || !(capacityLimit > 0)) return 'has no capacityLimit above 0';
  if (typeof factory.forHost !== 'function') return 'has no method forHost';
  if (typeof factory.close !== 'function') return 'has no method close';
  return undefined;
}

function refusal(problem: string, remedy: string): InputError {
  return new InputError(field, problem, remedy);
}
