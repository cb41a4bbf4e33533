import type { Verb } from './wire/request-path.js';

/** What a fault hook gets to see of a request. */
export interface FaultRequest {
  verb: Verb;
  /** Plural and group, such as `baremetalhosts.metal3.io`. */
  resource: string;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string;
}

/**
 * A refusal instead of an answer; `drop`: the connection is cut before anything happens; `dropAfter`: it is cut after the
 * request took effect; `hang`: no answer, ever.
 */
export type Fault =
  { status: number; reason?: string; message?: string; retryAfterSeconds?: number } | 'drop' | 'dropAfter' | 'hang';

export type FaultHook = (request: FaultRequest) => Fault | undefined;
