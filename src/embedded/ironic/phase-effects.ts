import type { Random } from '../../clock.js';
import { discoverBios } from './bios-settings.js';
import { isRedfish } from './drivers.js';
import { Fingerprint } from './fingerprint.js';
import { inventedMac, modelOf, nicsOf } from './inventory.js';
import { isObject } from './json.js';
import type { InspectionSeed, NodeRecord, Step } from './node-record.js';
import { bmcAddressOf } from './node-record.js';
import type { NodeStore } from './node-store.js';
import type { Effect } from './plans.js';
import { newPort } from './port-record.js';
import { randomUuid, type Stamps } from './stamps.js';
import { applySteps, discoverFirmware } from './step-effects.js';

export interface EffectContext {
  store: NodeStore;
  stamps: Stamps;
  random: Random;
}

/** Changes of the record when a phase is through. */
export const phaseEffects: Readonly<
  Record<Effect, (node: NodeRecord, context: EffectContext, steps: readonly Step[]) => void>
> = { verified, precreatePorts, inspected, stepsDone, deployed, tornDown };

function verified(node: NodeRecord, { stamps }: EffectContext): void {
  const { fields } = node;
  fields.power_state = node.hardwarePower;
  if (!isRedfish(fields.driver)) return;
  const model = modelOf(fields.uuid, archOf(node));
  const now = stamps.next();
  fields['boot_mode'] = bootModeOf(node);
  fields['secure_boot'] = false;
  fields.properties = { ...fields.properties, vendor: model.manufacturer };
  discoverBios(node, model.product, now);
  const bios = new Fingerprint(fields.uuid).pick('bios', model.bios.versions);
  discoverFirmware(node, { bios, bmc: model.bmcVersion }, now);
}

/** A Redfish controller knows the cards before the agent runs: all get a port. */
function precreatePorts(node: NodeRecord, context: EffectContext): void {
  for (const nic of nicsOf(node.fields.uuid, seedOf(node, context.store))) ensurePort(node, nic.mac, true, context);
}

/** The fake driver finds nothing; the others leave an inventory and correct the ports by what the agent booted from. */
function inspected(node: NodeRecord, context: EffectContext): void {
  if (node.fields.inspect_interface === 'fake') return;
  const seed = seedOf(node, context.store);
  node.inspection = seed;
  const [boot, ...others] = nicsOf(node.fields.uuid, seed);
  if (boot && seed.networkBoot) ensurePort(node, boot.mac, true, context);
  const bootsFrom = new Map([boot, ...others].map((nic, index) => [nic?.mac, seed.networkBoot && index === 0]));
  for (const port of context.store.portsOf(node.fields.uuid)) {
    const pxe = bootsFrom.get(port.fields.address);
    if (pxe === undefined || pxe === port.fields.pxe_enabled) continue;
    port.fields.pxe_enabled = pxe;
    context.store.savePort(port, port.fields.address);
  }
}

function ensurePort(node: NodeRecord, address: string, pxe: boolean, context: EffectContext): void {
  const { store, stamps, random } = context;
  if (store.portWithMac(address)) return;
  store.insertPort(newPort({ address, pxe_enabled: pxe }, node.fields.uuid, randomUuid(random), stamps.next()));
}

function stepsDone(node: NodeRecord, { stamps }: EffectContext, steps: readonly Step[]): void {
  applySteps(node, steps, stamps.next());
}

function deployed(node: NodeRecord): void {
  const { fields } = node;
  const source = fields.instance_info['image_source'];
  if (typeof source === 'string' && fields.deploy_interface !== 'fake') {
    fields.instance_info = { ...fields.instance_info, image_url: source };
    fields.driver_internal_info = { ...fields.driver_internal_info, is_whole_disk_image: true };
  }
  if (!isRedfish(fields.driver)) return;
  const wanted = fields.instance_info['capabilities'];
  fields['boot_mode'] = bootModeOf(node);
  fields['secure_boot'] = isObject(wanted) && wanted['secure_boot'] === 'true';
}

function tornDown(node: NodeRecord): void {
  const { fields } = node;
  fields.instance_info = {};
  fields.instance_uuid = null;
  const { is_whole_disk_image: _gone, ...internal } = fields.driver_internal_info;
  fields.driver_internal_info = internal;
  if (fields['secure_boot'] === true) fields['secure_boot'] = false;
  node.media = [];
}

function seedOf(node: NodeRecord, store: NodeStore): InspectionSeed {
  const ports = store.portsOf(node.fields.uuid);
  const boot = ports.find((port) => port.fields.pxe_enabled) ?? ports[0];
  return {
    bootMac: boot?.fields.address ?? inventedMac(node.fields.uuid),
    bmcAddress: bmcAddressOf(node),
    networkBoot: /^i?pxe$/.test(node.fields.boot_interface),
    arch: archOf(node),
    bootMode: bootModeOf(node),
  };
}

function archOf(node: NodeRecord): string {
  const arch = node.fields.properties['cpu_arch'];
  return typeof arch === 'string' && arch !== '' ? arch : 'x86_64';
}

function bootModeOf(node: NodeRecord): string {
  const capabilities = node.fields.properties['capabilities'];
  const named = /(?:^|,)boot_mode:(\w+)/.exec(typeof capabilities === 'string' ? capabilities : '');
  return named?.[1] ?? 'uefi';
}
