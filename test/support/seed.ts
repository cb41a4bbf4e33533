/** Seeds of property tests: new in each run, and the one that failed again with `PROPERTY_SEED=… PROPERTY_PATH=…`. */

export interface Replay {
  readonly seed: number;
  readonly path?: string;
}

/** Parameters for `fc.assert`. The seed is written out, so that a run that passed can be repeated too. */
export function replay(title: string): Replay {
  const { PROPERTY_SEED: seed, PROPERTY_PATH: path } = process.env;
  const chosen = seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(seed);
  process.stdout.write(`${title}: PROPERTY_SEED=${chosen}\n`);
  return path === undefined ? { seed: chosen } : { seed: chosen, path };
}
