/** What is to be said of wanted settings, given those that the host has. Pure. */
import type { Finding } from '../conditions.js';
import { clipped } from '../conditions.js';
import { type KnownSettings, settingProblem, type SettingValue } from './setting-rule.js';

type Wanted = Readonly<Record<string, SettingValue>>;

export interface SettingsVerdict {
  /** Something is wanted that the host does not have. */
  readonly isChanged: boolean;
  /** One for each setting that cannot be made; empty as long as nothing is to be changed. */
  readonly problems: readonly string[];
}

export function judgeSettings(wanted: Wanted, known: KnownSettings): SettingsVerdict {
  const entries = Object.entries(wanted);
  const differs = ([name, value]: [string, SettingValue]) =>
    !Object.hasOwn(known.actual, name) || known.actual[name] !== String(value);
  if (!entries.some(differs)) return { isChanged: false, problems: [] };
  const problems = entries.map(([name, value]) => settingProblem(name, value, known));
  return { isChanged: true, problems: problems.filter((problem) => problem !== undefined) };
}

/** The reasons are those that clients know. */
export function settingsFindings({ isChanged, problems }: SettingsVerdict): Finding[] {
  const isValid = problems.length === 0;
  return [
    { type: 'ChangeDetected', status: isChanged ? 'True' : 'False', reason: 'Success' },
    {
      type: 'Valid',
      status: isValid ? 'True' : 'False',
      reason: isValid ? 'Success' : 'ConfigurationError',
      message: clipped(problems.join('; ')),
    },
  ];
}
