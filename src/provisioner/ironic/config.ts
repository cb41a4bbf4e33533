/** Settings of the Ironic back end. Where each comes from: provisioner spec, "Environment variables". */
import type { ProxySettings } from './client/index.js';

export type PersistentBootDevice = 'Default' | 'Always' | 'Never';

export interface IronicConfig {
  /** Absent: no proxy. */
  readonly proxy?: ProxySettings;
  /** Such as `http://ironic:6385/v1/`; without credentials. */
  readonly endpoint: string;
  /** Folder with `username` and `password`; not there: no authentication. */
  readonly authDirectory: string;
  /** Files that are not there are ignored; "": none. */
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Accept whatever certificate Ironic shows. */
  readonly insecure: boolean;
  /** For how long Ironic counts as ready after it was found so; 0: ask each time. Milliseconds. */
  readonly readinessTTLMs: number;
  /** For one request, from begin to end. Milliseconds. */
  readonly timeoutMs: number;
  /** Agent images; "": none. */
  readonly deployKernelURL: string;
  readonly deployRamdiskURL: string;
  readonly deployISOURL: string;
  /** How many hosts may be busy at once. */
  readonly provisioningLimit: number;
  readonly liveISOPersistentBootDevice: PersistentBootDevice;
  readonly directDeployPersistentBootDevice: PersistentBootDevice;
  /** Where BMCs with an IPv6 address reach Ironic's HTTP server; "": where the others do. */
  readonly externalURLv6: string;
  readonly provisioningNetworkDisabled: boolean;
  /** Agent images are built for each host. */
  readonly imageBuilder: boolean;
}
