/** What is to be done about a DataImage, given its host and what the host's virtual drive is found to hold. Pure. */
import type { DataImageStatus } from '../../apis/index.js';
import type { HostView } from '../host-view.js';

/**
 * `release`: nothing of it can be in the host's drive, or nobody can tell. `rest`: until the host changes. `ask`: look into the
 * drive.
 */
export type Approach = 'release' | 'rest' | 'ask';

export function approachTo(isDeleting: boolean, host: HostView | undefined): Approach {
  if (host === undefined) return 'release';
  if (host.isPaused) return 'rest';
  // Such a host is not to be touched, and one that is not registered has no drive to look into.
  if (host.isToBeDetached || host.provisionerID === '') return isDeleting ? 'release' : 'rest';
  return 'ask';
}

type Trouble = NonNullable<DataImageStatus['error']>;

/** The drive could be looked into (undefined), or not, for this reason. Undefined: it is noted like that already. */
export function noted(known: Trouble | undefined, problem: string | undefined): Trouble | undefined {
  const { count, message } = known ?? { count: 0, message: '' };
  if (problem !== undefined) return { count: count + 1, message: problem };
  return count === 0 && message === '' ? undefined : { count: 0, message: '' };
}
