/** What a provisioner of a third party is: an ES module `NAME-provisioner.mjs` in the plugin folder, with these exports. */
import type { Clock, Random } from '../../clock.js';
import type { Provisioner, ProvisionerFactory } from '../provisioner.js';

/** Grows whenever a plugin that was written for the former one would do something else, or lack something. */
export const contractVersion = 1;

export interface PluginLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What a plugin is given. It reads its own settings from the environment or from files of its own. */
export interface PluginConfig {
  readonly log: PluginLog;
  readonly clock: Clock;
  readonly random: Random;
  readonly features: {
    /** Images are built for hosts: `preprovisioningImageFormats` may name formats. */
    readonly preprovisioningImage: boolean;
  };
}

export interface PluginModule {
  /** The NAME of its file, and of `--provisioner`. */
  readonly pluginName: string;
  /** The `contractVersion` that it was written for. */
  readonly contractVersion: number;
  newProvisionerFactory(config: PluginConfig): ProvisionerFactory | Promise<ProvisionerFactory>;
}

type OptionalMethod = 'findBMCEventSubscriptions';
type RequiredMethod = Exclude<keyof Provisioner, OptionalMethod>;

/** Every method that a plugin has to have; the compiler holds that none is forgotten. */
const methods: Readonly<Record<RequiredMethod, true>> = {
  register: true,
  preprovisioningImageFormats: true,
  inspectHardware: true,
  updateHardwareState: true,
  adopt: true,
  prepare: true,
  service: true,
  provision: true,
  deprovision: true,
  delete: true,
  detach: true,
  powerOn: true,
  powerOff: true,
  capacity: true,
  firmwareSettings: true,
  firmwareComponents: true,
  addBMCEventSubscription: true,
  removeBMCEventSubscription: true,
  dataImageAttached: true,
  attachDataImage: true,
  detachDataImage: true,
  hasPowerFailure: true,
  health: true,
  progress: true,
};

export const provisionerMethods = Object.keys(methods) as readonly RequiredMethod[];

/** Those that it may leave out. */
export const optionalMethods: readonly OptionalMethod[] = ['findBMCEventSubscriptions'];
