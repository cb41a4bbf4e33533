import { describe, expect, it } from '@jest/globals';
import { createActor, createMachine, type InspectionEvent } from 'xstate';
import { InspectionStream } from '../../../src/observability/inspector/stream.js';
import { FakeClock } from '../../support/fake-clock.js';

const machine = createMachine({
  id: 'lamp',
  context: { step: 'canary with blanks', draft: { status: { operationalStatus: 'canary' }, result: { kind: '' } } },
  initial: 'off',
  states: { off: { on: { toggle: 'on' } }, on: { on: { toggle: 'off' } } },
});

function run(stream: InspectionStream, key: string, toggles = 1): void {
  const actor = createActor(machine, { inspect: (event: InspectionEvent) => stream.take(key, event) });
  actor.start();
  for (let count = 0; count < toggles; count += 1) actor.send({ type: 'toggle' });
  actor.stop();
}

describe('the inspection stream', () => {
  it('forgets the charts that were silent longest, and the oldest events', () => {
    const stream = new InspectionStream(new FakeClock(), { actors: 2, events: 3 });
    for (const key of ['a', 'b', 'a', 'c']) run(stream, key, 2);
    const present = stream.present();
    expect(present.flatMap(({ type, sessionId }) => (type === '@xstate.actor' ? [sessionId] : []))).toEqual(['a', 'c']);
    expect(present.filter(({ type }) => type === '@xstate.event').map(({ sessionId }) => sessionId)).toEqual([
      'a',
      'c',
      'c',
    ]);
  });

  it('shows the last state of a pass that is over, as one that goes on', () => {
    const stream = new InspectionStream(new FakeClock());
    run(stream, 'a');
    expect(stream.present()[0]).toMatchObject({ snapshot: { status: 'active', value: 'on' } });
  });

  it('passes no word of the context on that is none of the known ones', () => {
    const stream = new InspectionStream(new FakeClock());
    run(stream, 'a');
    expect(stream.present()[0]).toMatchObject({ snapshot: { context: {} } });
    expect(JSON.stringify(stream.present())).not.toMatch(/"(step|operationalStatus|result)":/);
  });

  it('tells nothing more to a listener that has gone', () => {
    const stream = new InspectionStream(new FakeClock());
    const heard: string[] = [];
    const end = stream.listen(({ type }) => heard.push(type));
    run(stream, 'a');
    expect(heard).toEqual(['@xstate.actor', '@xstate.event', '@xstate.snapshot']);
    end();
    run(stream, 'a');
    expect(heard).toHaveLength(3);
  });

  it('stamps messages by the clock that it was given', () => {
    const stream = new InspectionStream(new FakeClock());
    run(stream, 'a');
    expect(new Set(stream.present().map(({ createdAt }) => createdAt))).toEqual(
      new Set([String(Date.UTC(2026, 0, 1))]),
    );
  });
});
