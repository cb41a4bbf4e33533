/** Firmware as a back end reads and changes it: settings (of the BIOS) and components (bmc, bios, network cards). */

/** What a setting takes. Spelt as on the wire of FirmwareSchema. What is left out is unknown. */
export interface FirmwareSettingSchema {
  readonly attribute_type?: string;
  /** For an Enumeration. */
  readonly allowable_values?: readonly string[];
  /** For an Integer. */
  readonly lower_bound?: number;
  readonly upper_bound?: number;
  /** For a String. */
  readonly min_length?: number;
  readonly max_length?: number;
  readonly read_only?: boolean;
  /** Differs from machine to machine. */
  readonly unique?: boolean;
}

export interface FirmwareSettings {
  /** Name to value; "" where the machine tells none. */
  readonly settings: Readonly<Record<string, string>>;
  /** Empty unless it was asked for. */
  readonly schema: Readonly<Record<string, FirmwareSettingSchema>>;
}

export interface FirmwareComponent {
  /** `bios`, `bmc` or `nic:...`. */
  readonly component: string;
  readonly initialVersion: string;
  readonly currentVersion?: string;
  readonly lastVersionFlashed?: string;
  /** RFC 3339. */
  readonly updatedAt?: string;
}

export interface FirmwareUpdate {
  readonly component: string;
  /** Where the BMC fetches the firmware file. */
  readonly url: string;
}

/** What the firmware of a host is to be. */
export interface FirmwareWish {
  readonly targetSettings: Readonly<Record<string, string | number>>;
  /** As read last; undefined: never read, and then no setting is changed. */
  readonly actualSettings: Readonly<Record<string, string>> | undefined;
  /** Only what is still to be updated: versions are not compared here. */
  readonly targetComponents: readonly FirmwareUpdate[];
}
