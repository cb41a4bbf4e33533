/** One host in one pass, as read from the cache at its start. */
import type { BareMetalHost, BareMetalHostStatus } from '../../apis/index.js';
import type { Carried } from './folding.js';
import type { HostWriter } from './host-writer.js';
import type { Telling } from './telling.js';

export interface PassScope {
  readonly key: string;
  readonly host: BareMetalHost;
  /** As this pass finds it; what of it is still to be saved stands in `carried`. */
  readonly status: BareMetalHostStatus;
  readonly carried: Carried;
  readonly writer: HostWriter;
  readonly telling: Telling;
  readonly signal: AbortSignal;
}
