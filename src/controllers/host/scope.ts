/** One host in one pass, as read from the cache at its start. */
import type { BareMetalHost, BareMetalHostStatus } from '../../apis/index.js';
import type { HostWriter } from './host-writer.js';
import type { Telling } from './telling.js';

export interface PassScope {
  readonly key: string;
  readonly host: BareMetalHost;
  readonly status: BareMetalHostStatus;
  readonly writer: HostWriter;
  readonly telling: Telling;
  readonly signal: AbortSignal;
}
