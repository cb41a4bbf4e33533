/** When the firmware of a host is looked at again, in milliseconds: people change it past the operator too. */

/** Nothing is asked of the host as long as this lasts. */
export const setAsideMs = 600_000;
/** What the host has could not be read. */
export const readAgainMs = 30_000;

/** While something is to be changed the next look is to show soon that it has been. */
export function lookAgainMs(isChanged: boolean): number {
  return isChanged ? 60_000 : 300_000;
}
