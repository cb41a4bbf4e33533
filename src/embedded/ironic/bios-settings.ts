import { Fingerprint } from './fingerprint.js';
import { isObject, plainText, type Json, type JsonObject } from './json.js';
import { links } from './node-rendering.js';
import type { NodeRecord, Step } from './node-record.js';

interface SettingModel {
  initial: string;
  /** Values that some hosts come with instead of the initial one. */
  others?: readonly string[];
  type: 'Enumeration' | 'Integer' | 'String' | 'Boolean';
  allowed?: readonly string[];
  bounds?: readonly [number, number];
  lengths?: readonly [number, number];
  readOnly?: boolean;
}

const settings: Readonly<Record<string, SettingModel>> = {
  AssetTag: { initial: '', type: 'String', lengths: [0, 63] },
  BootMode: { initial: 'Uefi', type: 'Enumeration', allowed: ['Bios', 'Uefi'] },
  EmbeddedSata: { initial: 'Raid', others: ['Ahci'], type: 'Enumeration', allowed: ['Ata', 'Ahci', 'Raid', 'Off'] },
  NicBoot1: { initial: 'NetworkBoot', type: 'Enumeration', allowed: ['NetworkBoot', 'Disabled'] },
  NumLock: { initial: 'On', type: 'Enumeration', allowed: ['On', 'Off'] },
  PowerOnDelay: { initial: '0', type: 'Integer', bounds: [0, 240] },
  ProcTurboMode: { initial: 'Enabled', others: ['Disabled'], type: 'Enumeration', allowed: ['Enabled', 'Disabled'] },
  ProcVirtualization: { initial: 'Enabled', type: 'Enumeration', allowed: ['Enabled', 'Disabled'] },
  SriovGlobalEnable: {
    initial: 'Disabled',
    others: ['Enabled'],
    type: 'Enumeration',
    allowed: ['Enabled', 'Disabled'],
  },
  SystemModelName: { initial: '', type: 'String', readOnly: true },
};

/** Reads the settings of a machine for the first time; later reads keep what was changed. */
export function discoverBios(node: NodeRecord, product: string, now: string): void {
  if (node.fields.bios_interface === 'no-bios' || node.fields.bios_interface === 'fake') return;
  if (Object.keys(node.bios).length > 0) return;
  const print = new Fingerprint(node.fields.uuid);
  for (const [name, model] of Object.entries(settings)) {
    const value = name === 'SystemModelName' ? product : print.pick(name, [model.initial, ...(model.others ?? [])]);
    node.bios[name] = { value, created_at: now, updated_at: null };
  }
}

/** The reason why wanted settings cannot be applied, or null. */
export function refusedSettings(node: NodeRecord, step: Step): string | null {
  for (const { name, value } of wantedSettings(step)) {
    const model = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (!model || !node.bios[name]) return `BIOS setting ${name} is not known`;
    if (model.readOnly) return `BIOS setting ${name} is read only`;
    const allowed = model.allowed;
    if (allowed && !allowed.includes(value)) return `${value} is not an allowed value of BIOS setting ${name}`;
    if (model.bounds && !isWithin(Number(value), model.bounds)) return `${value} is out of range of ${name}`;
  }
  return null;
}

function isWithin(value: number, [low, high]: readonly [number, number]): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}

export function applySettings(node: NodeRecord, step: Step, now: string): void {
  for (const { name, value } of wantedSettings(step)) {
    const current = node.bios[name];
    if (current && current.value !== value) node.bios[name] = { ...current, value, updated_at: now };
  }
}

export function resetSettings(node: NodeRecord, now: string): void {
  for (const [name, current] of Object.entries(node.bios)) {
    const initial = settings[name]?.initial ?? current.value;
    if (name !== 'SystemModelName') node.bios[name] = { ...current, value: initial, updated_at: now };
  }
}

function wantedSettings(step: Step): { name: string; value: string }[] {
  const args = step['args'] as { settings?: { name?: Json; value?: Json }[] } | undefined;
  const list = Array.isArray(args?.settings) ? args.settings.filter(isObject) : [];
  return list.map(({ name, value }) => ({ name: plainText(name), value: plainText(value) }));
}

/** One setting as the API shows it; `detail` adds what values it takes. */
export function renderSetting(node: NodeRecord, name: string, detail: boolean, baseUrl: string): JsonObject {
  const { value = null, created_at = null, updated_at = null } = node.bios[name] ?? {};
  const schema = detail ? renderSchema(settings[name]) : {};
  return {
    created_at,
    updated_at,
    name,
    value,
    ...schema,
    links: links(baseUrl, `nodes/${node.fields.uuid}/bios/${name}`),
  };
}

function renderSchema(model: SettingModel | undefined): JsonObject {
  const { type = null, allowed, bounds = [null, null], lengths = [null, null], readOnly = false } = model ?? {};
  return {
    attribute_type: type,
    allowable_values: allowed ? [...allowed] : null,
    lower_bound: bounds[0],
    max_length: lengths[1],
    min_length: lengths[0],
    read_only: readOnly,
    reset_required: null,
    unique: null,
    upper_bound: bounds[1],
  };
}
