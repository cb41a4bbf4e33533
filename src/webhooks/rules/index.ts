/** The rules of admission: pure, so that the server, `ironchart validate` and the embedded API all judge alike. */
import { kinds, type KindReference } from '../../apis/index.js';
import { bareMetalHostRules } from './bare-metal-host.js';
import { bmcEventSubscriptionRules } from './bmc-event-subscription.js';
import { dataImageRules } from './data-image.js';
import { hostClaimRules } from './host-claim.js';
import { hostFirmwareComponentsRules } from './host-firmware-components.js';
import { hostNetworkAttachmentRules } from './host-network-attachment.js';
import type { KindRules, Neighbours } from './kind-rules.js';
import { type Finding, Findings, sentence, type Verdict } from './verdict.js';

export { type HostView, nobody, type Neighbours } from './kind-rules.js';
export { refusalOf, type Refusal } from './refusal.js';
export { sentence, type Finding, type Verdict } from './verdict.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

export interface Guarded {
  readonly kind: KindReference;
  readonly operations: readonly Operation[];
}

interface GuardedRules extends Guarded {
  readonly rules: KindRules<never>;
}

const writes = ['CREATE', 'UPDATE'] as const;
const table: readonly GuardedRules[] = [
  { kind: kinds.bareMetalHost, operations: writes, rules: bareMetalHostRules as KindRules<never> },
  { kind: kinds.bmcEventSubscription, operations: writes, rules: bmcEventSubscriptionRules as KindRules<never> },
  { kind: kinds.dataImage, operations: writes, rules: dataImageRules as KindRules<never> },
  { kind: kinds.hostClaim, operations: writes, rules: hostClaimRules as KindRules<never> },
  { kind: kinds.hostFirmwareComponents, operations: writes, rules: hostFirmwareComponentsRules as KindRules<never> },
  {
    kind: kinds.hostNetworkAttachment,
    operations: [...writes, 'DELETE'],
    rules: hostNetworkAttachmentRules as KindRules<never>,
  },
];

/** The kinds that have rules, and what these want to be asked about. */
export const guarded: readonly Guarded[] = table;

export interface Question {
  /** As in `apiVersion` and `kind` of the object. */
  readonly kind: string;
  readonly operation: Operation;
  /** The object as it is to be; undefined for DELETE. */
  readonly object: unknown;
  /** The object as it is; undefined for CREATE. */
  readonly oldObject: unknown;
}

/** The object is not one of its kind: a field has another JSON type than it should. */
export class UnreadableObjectError extends Error {
  constructor(readonly finding: Finding) {
    super(sentence(finding));
  }
}

/** Nothing is found against a kind without rules. @throws UnreadableObjectError */
export function judge({ kind, operation, object, oldObject }: Question, neighbours: Neighbours): Verdict {
  const findings = new Findings();
  const found = table.find((one) => one.kind.kind === kind);
  if (found === undefined || !found.operations.includes(operation)) return findings;
  const { rules } = found;
  if (operation === 'DELETE') rules.remove?.(read(rules, oldObject), findings, neighbours);
  else if (operation === 'CREATE') rules.create(read(rules, object), findings, neighbours);
  else rules.update(read(rules, object), read(rules, oldObject), findings, neighbours);
  return findings;
}

function read(rules: KindRules<never>, object: unknown): never {
  const { success, data, error } = rules.schema.safeParse(object);
  if (success) return data as never;
  const [issue] = error.issues;
  throw new UnreadableObjectError({ field: issue?.path.join('.') ?? '', message: issue?.message ?? 'cannot be read' });
}
