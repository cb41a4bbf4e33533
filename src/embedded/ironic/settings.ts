import { InputError } from '../../errors.js';

/** The phases of the conductor's work whose length can be set. */
export const phaseNames = [
  'verify',
  'inspectStart',
  'inspectWait',
  'inspectEnd',
  'cleanStart',
  'cleanWait',
  'cleanEnd',
  'cleanSkip',
  'deployStart',
  'deployWait',
  'deployEnd',
  'delete',
  'adopt',
  'serviceStart',
  'serviceWait',
  'serviceEnd',
  'power',
  'softPower',
] as const;
export type PhaseTime = (typeof phaseNames)[number];

/** Times and habits of the conductor; all times in seconds. */
export interface PhaseOptions {
  /** Length of every phase that is not named in `seconds`; default 1. */
  phaseSeconds?: number;
  seconds?: Partial<Record<PhaseTime, number>>;
  /** Factor on every time, the lock retry and the power sync included; default 1. */
  timeScale?: number;
  /** Clean before `available` when the node does not say; default true. */
  automatedClean?: boolean;
  /** How long a change waits for a locked node; default 3 attempts, 1 s apart. */
  lockRetry?: { attempts?: number; intervalSeconds?: number };
  /** Period of the comparison of power states; default 60. */
  powerSyncSeconds?: number;
}

export interface Settings {
  /** Length of a phase in milliseconds. */
  millis(phase: PhaseTime): number;
  /** Any other time in milliseconds, scaled alike. */
  scaled(seconds: number): number;
  automatedClean: boolean;
  lockAttempts: number;
  lockIntervalMs: number;
  powerSyncMs: number;
}

/** Without cleaning the node only passes through `cleaning`. */
const briefSeconds = 0.03;

/** Fills in the defaults. @throws InputError for a negative or endless time, or an unknown phase */
export function resolveSettings(options: PhaseOptions = {}): Settings {
  const scale = nonNegative('phases.timeScale', options.timeScale, 1);
  const base = nonNegative('phases.phaseSeconds', options.phaseSeconds, 1);
  const given = namedPhases(options.seconds ?? {});
  const { attempts = 3, intervalSeconds } = options.lockRetry ?? {};
  const scaled = (seconds: number) => Math.round(seconds * scale * 1000);
  return {
    millis: (phase) => scaled(given.get(phase) ?? (phase === 'cleanSkip' ? Math.min(briefSeconds, base) : base)),
    scaled,
    automatedClean: options.automatedClean ?? true,
    lockAttempts: Math.max(1, attempts),
    lockIntervalMs: scaled(nonNegative('phases.lockRetry.intervalSeconds', intervalSeconds, 1)),
    powerSyncMs: scaled(nonNegative('phases.powerSyncSeconds', options.powerSyncSeconds, 60)),
  };
}

function namedPhases(seconds: Partial<Record<PhaseTime, number>>): Map<string, number> {
  const given = new Map(Object.entries(seconds));
  for (const [name, value] of given) {
    if (!(phaseNames as readonly string[]).includes(name)) {
      throw new InputError(`phases.seconds.${name}`, 'is no phase', `use one of ${phaseNames.join(', ')}`);
    }
    nonNegative(`phases.seconds.${name}`, value, 0);
  }
  return given;
}

function nonNegative(field: string, given: number | undefined, fallback: number): number {
  const value = given ?? fallback;
  if (Number.isFinite(value) && value >= 0) return value;
  throw new InputError(field, `${value} is no time`, 'give a number of seconds, 0 or more');
}
