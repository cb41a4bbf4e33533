/** AdmissionReview, as the API server sends it and wants it back. */
import {
  type Guarded,
  judge,
  type Neighbours,
  type Question,
  refusalOf,
  sentence,
  UnreadableObjectError,
  type Verdict,
} from '../rules/index.js';

interface ReviewRequest {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly question: Question;
}

export interface ReviewResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly warnings?: readonly string[];
  readonly status?: object;
}

/** The body is no AdmissionReview that this server could answer. */
export class MalformedReviewError extends Error {}

const reviewVersion = 'admission.k8s.io/v1';

/** The answer to the body of a request. @throws MalformedReviewError */
export function reviewed(body: string, guarded: Guarded, neighbours: Neighbours): ReviewResponse {
  const request = readReview(body, guarded);
  return answer(request, guarded, () => judge(request.question, neighbours));
}

/** @throws MalformedReviewError */
function readReview(text: string, { kind }: Guarded): ReviewRequest {
  const review = parsed(text);
  const request = record(review.request);
  if (review.apiVersion !== reviewVersion || review.kind !== 'AdmissionReview' || typeof request.uid !== 'string') {
    throw new MalformedReviewError(`is no AdmissionReview of ${reviewVersion}`);
  }
  const asked = record(request.kind);
  if (asked.group !== kind.group || asked.version !== kind.version || asked.kind !== kind.kind) {
    throw new MalformedReviewError(`asks for another kind than ${kind.kind}`);
  }
  const { uid, name, namespace, operation, object, oldObject } = request;
  const question = { kind: kind.kind, operation: operation as Question['operation'], object, oldObject };
  return { uid, name: textOf(name), namespace: textOf(namespace), question };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return record(JSON.parse(text));
  } catch {
    throw new MalformedReviewError('is no JSON');
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function answer(request: ReviewRequest, guarded: Guarded, ask: () => Verdict): ReviewResponse {
  const { uid, question } = request;
  if (!guarded.operations.includes(question.operation)) {
    return { uid, allowed: false, status: failure(400, 'BadRequest', `does not judge ${String(question.operation)}`) };
  }
  try {
    return respond(request, guarded, ask());
  } catch (error) {
    if (!(error instanceof UnreadableObjectError)) throw error;
    return { uid, allowed: false, status: failure(400, 'BadRequest', error.message) };
  }
}

function respond({ uid, name }: ReviewRequest, { kind }: Guarded, { refusals, warnings }: Verdict): ReviewResponse {
  const told = warnings.length === 0 ? {} : { warnings: warnings.map(sentence) };
  if (refusals.length === 0) return { uid, allowed: true, ...told, status: { code: 200 } };
  const { message, details } = refusalOf(kind, name, refusals);
  return { uid, allowed: false, ...told, status: { ...failure(403, 'Forbidden', message), details } };
}

function failure(code: number, reason: string, message: string): object {
  return { status: 'Failure', code, reason, message };
}

export function envelope(response: ReviewResponse): object {
  return { apiVersion: reviewVersion, kind: 'AdmissionReview', response };
}
