/** What a pass came to, for whoever watches the fleet: the terminal's table, the log, later the history. */
export interface PassReport {
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `status.provisioning.state` before and after; the same when the pass changed nothing. */
  readonly from: string;
  readonly to: string;
  readonly standing: string;
  /** A result's kind, `thrown`, or `gone`. */
  readonly outcome: string;
  /** It failed for want of any answer of the machine's controller, which may give one soon. */
  readonly isSilent: boolean;
  /** "" when it waits for nothing. */
  readonly waitsFor: string;
  /** As the back end calls it, such as `wait call-back`. */
  readonly nodeState: string;
  /** Milliseconds until the host is looked at again; undefined when only an event brings it back. */
  readonly nextMs: number | undefined;
  /** Where the chart was restored from. */
  readonly restoredFrom: string;
}
