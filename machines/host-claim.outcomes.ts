/** What is known of a claim when a pass begins, what its steps can come to, and how it stands afterwards. */

/** A host, `namespace/name`, and the version of it that was chosen. */
export interface ClaimChoice {
  readonly host: string;
  readonly version: string;
}

export interface ClaimObserved {
  readonly isDeleting: boolean;
  /** It carries the operator's finalizer. */
  readonly isHeld: boolean;
  /** The host in its status, `namespace/name`. */
  readonly bound: string | undefined;
  /** What was noted on it before the host was to be taken. */
  readonly noted: ClaimChoice | undefined;
  /** A host that names it as its consumer, as far as is known. */
  readonly holder: string | undefined;
}

export type ChoiceOutcome =
  { readonly kind: 'chosen'; readonly choice: ClaimChoice } | { readonly kind: 'none'; readonly message: string };

/** `lost`: the host was changed meanwhile. `refused`: the API server takes no such write. */
export type TakeOutcome = { readonly kind: 'taken' | 'lost' } | { readonly kind: 'refused'; readonly message: string };

/**
 * `ours`: the host names the claim. `open`: it can be taken as noted. `unsettled`: it must not be taken as noted, but a write that
 * does so may be on its way still. `over`: no such write can succeed any more.
 */
export type NotedOutcome = { readonly kind: 'ours' | 'open' | 'unsettled' | 'over' };

export type BoundOutcome = { readonly kind: 'ours' | 'gone' | 'others' | 'free' };

export type ReleaseOutcome =
  { readonly kind: 'released' | 'unsettled' } | { readonly kind: 'failed'; readonly message: string };

/** How a claim stands at the end of a pass: the states of its life that are to be seen from outside. */
export type ClaimStanding =
  | { readonly kind: 'associated'; readonly host: string }
  | { readonly kind: 'waiting'; readonly message: string }
  /** It will be one of the others soon. */
  | { readonly kind: 'contending' | 'settling' | 'leaving' | 'gone' }
  | { readonly kind: 'hostMissing'; readonly host: string }
  | { readonly kind: 'hostEstranged'; readonly host: string; readonly hasOther: boolean }
  | { readonly kind: 'refused'; readonly host: string; readonly message: string }
  | { readonly kind: 'stuck'; readonly message: string };
