import { isRedfish } from './drivers.js';
import { missingDriverInfo } from './failure-texts.js';
import { plainText, pythonText, type JsonObject } from './json.js';
import type { NodeRecord } from './node-record.js';
import type { NodeStore } from './node-store.js';

/** Why the node could not boot, or null. */
export function bootProblem(node: NodeRecord, store: NodeStore): string | null {
  const networkBoot = /^i?pxe$/.test(node.fields.boot_interface);
  if (networkBoot && store.portsOf(node.fields.uuid).length === 0) {
    return `Node ${node.fields.uuid} does not have any port associated with it`;
  }
  return null;
}

/** Why the node could not be deployed with its present instance_info, or null. */
export function deployProblem(node: NodeRecord, store: NodeStore): string | null {
  const how = node.fields.deploy_interface;
  if (how === 'fake') return null;
  return bootProblem(node, store) ?? (how === 'custom-agent' ? null : imageProblem(node, how));
}

function imageProblem(node: NodeRecord, how: string): string | null {
  const { uuid, instance_info: info } = node.fields;
  const key = how === 'ramdisk' ? 'boot_iso' : 'image_source';
  const has = (name: string) => typeof info[name] === 'string' && info[name] !== '';
  if (has('image_source') && has('boot_iso')) {
    return "An 'image_source' and 'boot_iso' parameter may not be specified at the same time.";
  }
  if (!has(key)) {
    return (
      `Node ${uuid} failed to validate deploy image info. Some parameters were missing. ` +
      `Missing are: ['instance_info.${key}']`
    );
  }
  if (how !== 'direct' || /^oci:\/\//i.test(plainText(info['image_source']))) return null;
  if (has('image_checksum') || (has('image_os_hash_algo') && has('image_os_hash_value'))) return null;
  return (
    'image_source\'s "image_checksum", or "image_os_hash_algo" and "image_os_hash_value" must be provided in ' +
    `instance_info for node ${uuid}`
  );
}

/** Why the node could not be adopted, or null: only what boots anew at each start has to tell what from. */
export function unfitForAdoption({ fields }: NodeRecord): string | null {
  const { uuid, deploy_interface: how, instance_info: info } = fields;
  if (how !== 'ramdisk' || typeof info['boot_iso'] === 'string') return null;
  const missing = ['kernel', 'ramdisk'].filter((part) => typeof info[part] !== 'string');
  if (missing.length === 0) return null;
  return (
    `Error while attempting to adopt node ${uuid}: Cannot validate image information for node ${uuid} because one or ` +
    'more parameters are missing from its instance_info and insufficient information is present to boot from a remote ' +
    `volume. Missing are: ${pythonText(missing)}.`
  );
}

/** The answer of `GET …/validate`: one verdict for each interface. */
export function validationOf(node: NodeRecord, store: NodeStore): JsonObject {
  const missing = missingDriverInfo(node);
  const controller = (kind: string) => {
    const absent = absence(node, kind);
    return verdict(absent ?? (isRedfish(node.fields.driver) || kind === 'power' ? missing : null));
  };
  const noRaid = node.fields.raid_interface === 'no-raid' ? absence(node, 'raid') : null;
  return {
    boot: verdict(bootProblem(node, store)),
    deploy: verdict(deployProblem(node, store)),
    management: controller('management'),
    network: verdict(null),
    power: controller('power'),
    bios: controller('bios'),
    console: verdict(absence(node, 'console')),
    firmware: controller('firmware'),
    inspect: verdict(absence(node, 'inspect')),
    raid: verdict(noRaid),
    rescue: verdict(absence(node, 'rescue')),
    storage: verdict(null),
  };
}

function absence(node: NodeRecord, kind: string): string | null {
  if (node.fields[`${kind}_interface`] !== `no-${kind}`) return null;
  return `Driver ${node.fields.driver} does not support ${kind} (disabled or not implemented).`;
}

function verdict(reason: string | null): JsonObject {
  return reason === null ? { result: true } : { result: false, reason };
}
