/**
 * What Ironic says of a BMC that it could not work with: whether it gave no answer, as one does that is just starting again,
 * or refused. Ironic passes on the words of sushy, requests and ipmitool and has no code for the difference.
 */
import { failed, silent, type OperationResult } from '../results.js';

/** Nothing of this ends by itself; it goes first, since such a text often speaks of the connection as well. */
const refusals: readonly RegExp[] = [
  /\b(?:code|http|status)[ :=]*40[13]\b/i,
  /unauthori[sz]ed|forbidden|(?:access|permission) denied|authenticat|credential/i,
  /(?:incorrect|invalid|wrong|bad) (?:user|login|password)|account (?:is )?(?:locked|disabled)/i,
  /certificate|SSL(?:CertVerification)?Error|hostname mismatch/i,
  /name or service not known|no address associated/i,
];

/** A soft power-off that the operating system has let time out is none of these: the BMC did answer. */
const silences: readonly RegExp[] = [
  /(?:unable|failed) to connect|failed to establish a new connection|max retries exceeded/i,
  /connection (?:was |has been )?(?:refused|reset|aborted|closed|failed|timed out)|ECONN(?:REFUSED|RESET|ABORTED)/i,
  /(?:connection to \S+|connect|read) ?time(?:d ?|-)?out|(?:connect|read)timeout/i,
  /remote end closed|broken pipe|no response|no route to host|(?:host|network) (?:is )?unreachable/i,
  /unable to establish (?:ipmi|lan|rmcp)|temporary failure in name resolution/i,
  /\b(?:code|http|status)[ :=]*50[234]\b|service unavailable/i,
  // All that Ironic tells of ipmitool. A wrong password is told alike: it is tried soon too, a few times.
  /IPMI call failed/i,
];

/** Whether this says that no BMC has answered. Pure. */
export function tellsSilence(text: string): boolean {
  return !refusals.some((words) => words.test(text)) && silences.some((words) => words.test(text));
}

/** A failure with Ironic's words for it, behind `prefix`. */
export function failedBy(reason: string, prefix = ''): OperationResult {
  return tellsSilence(reason) ? silent(prefix + reason) : failed(prefix + reason);
}
