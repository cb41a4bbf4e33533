import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { InputError } from '../../errors.js';
import { provisionStates } from './state-table.js';

/** Steps of a host's life that can be made to fail. */
export const faultSteps = ['verify', 'inspect', 'clean', 'deploy', 'undeploy', 'adopt', 'service', 'power'] as const;
export type FaultStep = (typeof faultSteps)[number];

const positive = z.number().positive();

const hostMatch = z.strictObject({
  /** Glob over the node's name, or over the part of it after the last `~`. */
  name: z.string().min(1).optional(),
  /** Glob over the address of the management controller, as it stands in driver_info. */
  bmcAddress: z.string().min(1).optional(),
  /** Glob over the MAC addresses of the node's ports. */
  mac: z.string().min(1).optional(),
});

const failure = z
  .strictObject({
    step: z.enum(faultSteps),
    times: z.int().positive().optional(),
    always: z.literal(true).optional(),
    percentage: z.number().min(0).max(100).optional(),
    text: z.string().min(1).optional(),
    /** Seconds between the failed state and its last_error, as can be seen on a real Ironic. */
    errorDelaySeconds: positive.optional(),
  })
  .refine((value) => value.times === undefined || value.always === undefined, {
    message: 'says both times and always',
    path: ['times'],
  });

const hostRule = z
  .strictObject({
    match: hostMatch.default({}),
    fail: z.union([failure, z.array(failure).min(1)]).optional(),
    unreachable: z.union([z.boolean(), z.strictObject({ seconds: positive })]).optional(),
    credentials: z.strictObject({ username: z.string(), password: z.string() }).optional(),
    slow: z.union([positive, z.strictObject({ state: z.enum(provisionStates), factor: positive })]).optional(),
    softPowerOff: z.literal('unsupported').optional(),
    health: z.enum(['OK', 'Warning', 'Critical']).optional(),
  })
  .refine((rule) => Object.keys(rule).length > 1, { message: 'has no effect: give fail, unreachable, slow, …' });

const apiRule = z
  .strictObject({
    match: z.strictObject({ method: z.string().min(1).optional(), path: z.string().min(1).optional() }).default({}),
    times: z.int().positive().optional(),
    status: z.int().min(400).max(599).optional(),
    text: z.string().optional(),
    hang: z.literal(true).optional(),
    reset: z.literal(true).optional(),
    /** Answer late, by this many seconds; alone, or before the status. */
    delaySeconds: positive.optional(),
  })
  .refine((rule) => Number(Boolean(rule.hang)) + Number(Boolean(rule.reset)) + Number(Boolean(rule.status)) <= 1, {
    message: 'says more than one of status, hang and reset',
  })
  .refine((rule) => [rule.hang, rule.reset, rule.status, rule.delaySeconds].some((effect) => effect !== undefined), {
    message: 'has no effect: give status, hang, reset or delaySeconds',
  });

const faultFile = z.strictObject({
  rules: z.array(hostRule).default([]),
  api: z.array(apiRule).default([]),
});

export type HostMatch = z.infer<typeof hostMatch>;
export type Failure = z.infer<typeof failure>;
export type HostRule = z.infer<typeof hostRule>;
export type ApiRule = z.infer<typeof apiRule>;
export type Faults = z.infer<typeof faultFile>;
/** What a person writes: everything may be left out. */
export type FaultsInput = z.input<typeof faultFile>;

/** Checks a fault configuration given as an object. @throws InputError naming the first wrong field */
export function parseFaults(input: unknown, source = 'faults'): Faults {
  const result = faultFile.safeParse(input ?? {});
  if (result.success) return result.data;
  const issue = deepest(result.error.issues[0]);
  const field = [source, ...(issue?.path ?? []).map(String)].join('.');
  throw new InputError(field, issue?.message ?? 'is not valid', 'see docs/faults.md for the format');
}

type Issue = { path: PropertyKey[]; message: string; errors?: Issue[][] };

/** Of a union, the reason of the branch that came furthest says what is wrong. */
function deepest(issue: Issue | undefined): Issue | undefined {
  const inner = issue?.errors?.flat() ?? [];
  if (!issue || inner.length === 0) return issue;
  const best = inner.reduce((a, b) => (b.path.length > a.path.length ? b : a));
  return deepest({ ...best, path: [...issue.path, ...best.path] });
}

/** Reads a fault file's text. @throws InputError for what is no YAML or not the format */
export function parseFaultYaml(text: string, source = 'faults'): Faults {
  let value: unknown;
  try {
    // A warning would show the line, and the line may hold a password.
    value = parse(text, { logLevel: 'error' });
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new InputError(source, `is no YAML${line === undefined ? '' : ` (line ${line})`}`, 'correct the file', {
      cause: error,
    });
  }
  return parseFaults(value, source);
}
