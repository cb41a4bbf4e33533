/** What is to be said of wanted firmware updates, given those that were begun. Pure. */
import { isSame } from '../../../machines/index.js';
import type { FirmwareUpdate } from '../../apis/index.js';
import { clipped, type Finding } from '../conditions.js';

export interface UpdatesVerdict {
  /** Others are wanted than those that were begun; their order counts, for in it they are made. */
  readonly isChanged: boolean;
  /** The first update that cannot be made; undefined: there is none, or nothing is to be changed. */
  readonly problem: string | undefined;
}

const updatable = /^(?:bios$|bmc$|nic:)/;

export function judgeUpdates(wanted: readonly FirmwareUpdate[], begun: readonly FirmwareUpdate[]): UpdatesVerdict {
  if (isSame(wanted.map(parts), begun.map(parts))) return { isChanged: false, problem: undefined };
  const bad = wanted.find(({ component }) => !updatable.test(component));
  return {
    isChanged: true,
    problem:
      bad && `${JSON.stringify(bad.component)} cannot be updated: only bios, bmc, and nic: with an identifier can`,
  };
}

function parts({ component, url }: FirmwareUpdate) {
  return { component, url };
}

/** The reasons are those that clients know. */
export function updatesFindings({ isChanged, problem }: UpdatesVerdict): Finding[] {
  return [
    { type: 'ChangeDetected', status: isChanged ? 'True' : 'False', reason: 'OK' },
    problem === undefined
      ? { type: 'Valid', status: 'True', reason: 'OK' }
      : { type: 'Valid', status: 'False', reason: 'InvalidComponent', message: clipped(problem) },
  ];
}
