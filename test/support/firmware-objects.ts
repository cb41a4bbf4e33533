/** The firmware objects of a host as their own controllers leave them. */

interface Verdict {
  /** Default: the settings, or updates, differ from those of the machine. */
  readonly changed?: boolean;
  readonly valid?: boolean;
  /** Of the object that was judged; default: the present one. */
  readonly generation?: number;
  /** When the difference was found. */
  readonly since?: string;
}

export function verdict({ changed = true, valid = true, generation, since }: Verdict = {}) {
  const lastTransitionTime = since ?? '2026-01-01T00:00:00Z';
  const condition = (type: string, isTrue: boolean) => ({
    ...{ type, status: isTrue ? 'True' : 'False', reason: 'Success', message: '' },
    ...{ lastTransitionTime, ...(generation === undefined ? {} : { observedGeneration: generation }) },
  });
  return [condition('ChangeDetected', changed), condition('Valid', valid)];
}

export const wantedSettings = { ProcTurboMode: 'Enabled', BootRetries: 3 };
export const actualSettings = { ProcTurboMode: 'Disabled', BootRetries: '1' };

/** Settings that differ, or whatever the verdict says. */
export function settingsObject(known: Verdict = {}, settings: Record<string, string> = actualSettings) {
  return { spec: { settings: wantedSettings }, status: { settings, conditions: verdict(known) } };
}

export const updateOf = (component: string, version: number) => ({
  component,
  url: `http://images.example.com/${component}/${version}`,
});

type Update = ReturnType<typeof updateOf>;

export function componentsObject(updates: readonly Update[], begun?: readonly Update[], known: Verdict = {}) {
  return {
    spec: { updates },
    status: { components: [], ...(begun === undefined ? {} : { updates: begun }), conditions: verdict(known) },
  };
}
