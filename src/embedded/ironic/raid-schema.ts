import { badRequest, unexpectedMembers } from './api-error.js';
import { isObject, pythonText, type Json, type JsonObject } from './json.js';

const levels = ['JBOD', '0', '1', '2', '5', '6', '1+0', '5+0', '6+0'];
const members = [
  ...['raid_level', 'size_gb', 'volume_name', 'is_root_volume', 'share_physical_disks', 'disk_type', 'interface_type'],
  ...['number_of_physical_disks', 'controller', 'physical_disks'],
];
const choices: Readonly<Record<string, readonly string[]>> = {
  disk_type: ['hdd', 'ssd'],
  interface_type: ['sata', 'scsi', 'sas'],
};

/** Checks what a node's RAID is to be. @throws ApiError 400 with the words of a schema */
export function checkRaid(config: JsonObject): void {
  const problem = configProblem(config);
  if (problem !== null) throw badRequest(`RAID config validation error: ${problem}`);
}

function configProblem(config: JsonObject): string | null {
  const disks = config['logical_disks'];
  if (disks === undefined) return "'logical_disks' is a required property";
  const extra = Object.keys(config).filter((key) => key !== 'logical_disks');
  if (extra.length > 0) return unexpectedMembers(extra);
  if (!Array.isArray(disks)) return `${pythonText(disks)} is not of type 'array'`;
  if (disks.length === 0) return '[] should be non-empty';
  return disks.map(diskProblem).find((text) => text !== null) ?? null;
}

function diskProblem(disk: Json): string | null {
  if (!isObject(disk)) return `${pythonText(disk)} is not of type 'object'`;
  const missing = ['raid_level', 'size_gb'].find((required) => !(required in disk));
  if (missing !== undefined) return `'${missing}' is a required property`;
  const extra = Object.keys(disk).filter((key) => !members.includes(key));
  if (extra.length > 0) return unexpectedMembers(extra);
  return choiceProblem(disk) ?? sizeProblem(disk['size_gb']);
}

function choiceProblem(disk: JsonObject): string | null {
  for (const [member, allowed] of Object.entries({ raid_level: levels, ...choices })) {
    const value = disk[member];
    if (value !== undefined && !(allowed as readonly unknown[]).includes(value)) {
      return `${pythonText(value)} is not one of ${pythonText([...allowed])}`;
    }
  }
  return null;
}

function sizeProblem(size: Json | undefined): string | null {
  if (size === 'MAX' || (typeof size === 'number' && Number.isInteger(size) && size >= 0)) return null;
  if (typeof size === 'string') return `${pythonText(size)} is not one of ['MAX']`;
  return `${pythonText(size)} is not valid under any of the given schemas`;
}
