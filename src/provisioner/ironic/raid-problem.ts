/** A RAID wish that cannot be carried out, told to the person who wished it. */
export class RAIDProblem extends Error {
  override readonly name = 'RAIDProblem';
}
