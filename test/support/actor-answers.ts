/** Answers of the host chart's actors that fit every one of them, and a script that gives the same kind of answer to all. */
import type { ActorInput } from '../../machines/index.js';
import type { ActorScript } from './scripted-chart.js';

export type AnswerKind = 'complete' | 'inProgress' | 'failed' | 'unreachable' | 'thrown';

export class ActorFailure extends Error {
  override readonly name = 'ActorFailure';
}

const removals: ReadonlySet<string> = new Set(['adoptHost', 'deprovisionHost', 'powerOffHost']);
/** What is merely looked at; an agent image is used only where a test says so. */
const readings: Readonly<Record<string, unknown>> = {
  askFormats: undefined,
  createImage: { kind: 'absent' },
  readNetworkVersion: '1',
  observeDrive: { kind: 'empty' },
};

const details = { hostname: 'found', cpu: { arch: 'x86_64' } };

/** `unreachable` is an answer of removals alone; others then fail. */
export function answerOf(name: string, kind: AnswerKind, change: object = {}): unknown {
  if (kind === 'thrown') throw new ActorFailure(`${name} threw`);
  const known = kind === 'unreachable' && !removals.has(name) ? 'failed' : kind;
  const started = kind === 'complete';
  return {
    ...{ kind: known, requeueAfterMs: 3000, message: `${name} failed`, provisionerID: 'node-1', started },
    ...(kind === 'complete' && name === 'inspectHardware' ? { details, started: false } : {}),
    ...change,
  };
}

/** Answers by name; an actor that is not named completes. Remembers what was asked. */
export class TableScript implements ActorScript {
  readonly calls: string[] = [];

  constructor(
    private readonly answers: Readonly<Record<string, unknown>> = {},
    private readonly otherwise: AnswerKind = 'complete',
  ) {}

  answer(name: string, input: ActorInput): unknown {
    this.calls.push(name);
    if (name in this.answers) {
      const answer = this.answers[name];
      if (answer instanceof Error) throw answer;
      return answer;
    }
    if (name === 'observePower') return { poweredOn: input.status.poweredOn };
    if (name in readings) return readings[name];
    return answerOf(name, this.otherwise);
  }
}
