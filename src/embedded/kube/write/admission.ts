import type { ResourceKind } from '../kinds/resource-kind.js';
import type { Dict, KubeObject } from '../object.js';
import { type StatusDetails, StatusError } from '../wire/status-error.js';

/** What an admission hook is asked: the object as it would be stored, which its schema has nothing against. */
export interface AdmissionQuestion {
  operation: 'CREATE' | 'UPDATE' | 'DELETE';
  kind: ResourceKind;
  subresource: string;
  object: KubeObject | undefined;
  oldObject: KubeObject | undefined;
  dryRun: boolean;
}

export interface AdmissionVerdict {
  allowed: boolean;
  /** HTTP status of a refusal; 403 when not given. */
  code?: number;
  reason?: string;
  message?: string;
  details?: StatusDetails;
  warnings?: string[];
  /** The object as the hook wants it, when that differs. */
  object?: Dict;
}

/** Nothing returned means allowed. */
export type Admit = (
  question: AdmissionQuestion,
) => AdmissionVerdict | undefined | Promise<AdmissionVerdict | undefined>;

/** Hands on warnings, and turns a refusal into its error. Throws StatusError. */
export function heed(verdict: AdmissionVerdict | undefined, warn: (text: string) => void): void {
  if (!verdict) return;
  for (const text of verdict.warnings ?? []) warn(text);
  if (verdict.allowed) return;
  throw new StatusError(
    verdict.code ?? 403,
    verdict.reason ?? 'Forbidden',
    verdict.message ?? 'denied',
    verdict.details,
  );
}
