/** Root device hints and RAID: what a host should be prepared with, against what it was prepared with (spec §6.2-6.4). */
import type { BareMetalHostStatus, RAIDConfig } from '../src/apis/index.js';
import { isSame } from './equality.js';
import type { Observed, ProvisioningSettings } from './host.context.js';

type Facts = Pick<Observed, 'host' | 'profile'>;

function hasSoftwareRootVolume(raid: RAIDConfig | undefined): boolean {
  return (raid?.softwareRAIDVolumes ?? []).some((volume) => volume.rootVolume === true);
}

/** A software RAID root volume is the root device, so hints would only contradict it. */
export function targetRootDeviceHints({ host, profile }: Facts): ProvisioningSettings['rootDeviceHints'] {
  if (hasSoftwareRootVolume(host.spec?.raid)) return undefined;
  return host.spec?.rootDeviceHints ?? profile.hints;
}

/**
 * No wish at all means: keep the hardware volumes, remove software ones, but only where some RAID was recorded before.
 * Both lists are always present in the result, since null (leave alone) and [] (wipe) differ.
 */
export function targetRAID(wish: RAIDConfig | undefined, recorded: RAIDConfig | undefined): RAIDConfig | undefined {
  const literal = {
    hardwareRAIDVolumes: wish?.hardwareRAIDVolumes ?? null,
    softwareRAIDVolumes: wish?.softwareRAIDVolumes ?? null,
  };
  const isWished = literal.hardwareRAIDVolumes !== null || literal.softwareRAIDVolumes !== null;
  if (isWished) return literal;
  if (recorded !== undefined) return withoutSoftware(recorded);
  return wish === undefined ? undefined : literal;
}

function withoutSoftware({ hardwareRAIDVolumes }: RAIDConfig): RAIDConfig {
  const kept = hardwareRAIDVolumes ?? [];
  return { hardwareRAIDVolumes: kept.length > 0 ? kept : null, softwareRAIDVolumes: [] };
}

export function targetSettings(facts: Facts, status: BareMetalHostStatus): ProvisioningSettings {
  return {
    rootDeviceHints: targetRootDeviceHints(facts),
    raid: targetRAID(facts.host.spec?.raid, status.provisioning.raid),
  };
}

export function settingsDiffer(facts: Facts, status: BareMetalHostStatus): boolean {
  const target = targetSettings(facts, status);
  const { rootDeviceHints, raid } = status.provisioning;
  return !isSame(target.rootDeviceHints, rootDeviceHints) || !isSame(target.raid, withBothLists(raid));
}

/** A merge patch cannot write null: a list that is to be left alone comes back as an absent one. */
function withBothLists(raid: RAIDConfig | undefined): RAIDConfig | undefined {
  if (raid === undefined) return undefined;
  const { hardwareRAIDVolumes = null, softwareRAIDVolumes = null } = raid;
  return { hardwareRAIDVolumes, softwareRAIDVolumes };
}

export function withSettings(status: BareMetalHostStatus, settings: ProvisioningSettings): BareMetalHostStatus {
  const { rootDeviceHints: _hints, raid: _raid, ...rest } = status.provisioning;
  return {
    ...status,
    provisioning: {
      ...rest,
      ...(settings.rootDeviceHints === undefined ? {} : { rootDeviceHints: settings.rootDeviceHints }),
      ...(settings.raid === undefined ? {} : { raid: settings.raid }),
    },
  };
}

/** Forgets hints and software RAID, so that they are applied afresh; hardware volumes stay on the controller. */
export function withoutSettings(status: BareMetalHostStatus): BareMetalHostStatus {
  const { rootDeviceHints: _hints, firmware: _firmware, raid, ...rest } = status.provisioning;
  return {
    ...status,
    provisioning: { ...rest, ...(raid === undefined ? {} : { raid: { ...raid, softwareRAIDVolumes: null } }) },
  };
}
