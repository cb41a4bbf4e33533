/** What the actors of one pass work with: made for the pass, and gone with it. */
import type { BareMetalHost } from '../../apis/index.js';
import type { Provisioner } from '../../provisioner/index.js';
import type { DataImageStore } from './data-image-store.js';
import type { FirmwareStore } from './firmware-store.js';
import type { HardwareDataStore } from './hardware-data.js';
import type { HostWriter } from './host-writer.js';
import type { PreprovisioningImageStore } from './preprovisioning-image-store.js';
import type { HostSecrets } from './secret-reader.js';

export interface HostServices {
  readonly key: string;
  readonly host: BareMetalHost;
  readonly provisioner: Provisioner;
  readonly writer: HostWriter;
  readonly secrets: HostSecrets;
  readonly hardwareData: HardwareDataStore;
  readonly firmware: FirmwareStore;
  readonly dataImages: DataImageStore;
  readonly images: PreprovisioningImageStore;
  /** Undefined: the Secret that the host names does not exist. */
  readonly preprovisioningNetworkData: string | undefined;
  /** Publishes an event of type Warning at once. */
  readonly warn: (reason: string, message: string) => void;
  readonly count: (metric: string, labels?: Record<string, string>) => void;
  readonly signal: AbortSignal;
}
