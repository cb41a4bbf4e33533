import { describe, expect, it } from '@jest/globals';
import { errorFromAnswer, EventRecorder, type KubeApi, type KubeObject } from '../../../src/kube/index.js';
import { FakeClock } from '../../support/fake-clock.js';

const subject = {
  ...{ apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost' },
  ...{ namespace: 'default', name: 'host', uid: 'uid-1' },
};

function recorder(create: (event: KubeObject) => Promise<unknown>) {
  const written: KubeObject[] = [];
  const errors: string[] = [];
  const api = {
    create: async (_kind: unknown, event: KubeObject) => {
      await create(event);
      written.push(event);
    },
  } as unknown as KubeApi;
  const source = { component: 'metal3-baremetal-controller', reportingComponent: 'metal3.io/baremetal-controller' };
  const events = new EventRecorder(api, new FakeClock(), source, (message) => errors.push(message));
  return { events, written, errors, reasons: () => written.map(({ reason }) => reason) };
}

const spec = (reason: string, message = 'm') => ({ subject, reason, message });

describe('events', () => {
  it('have the form that their readers know', async () => {
    const { events, written } = recorder(() => Promise.resolve());
    events.publish({ ...spec('Registered'), related: { kind: 'Consumer' } });
    await events.flush();
    expect(written).toEqual([
      {
        ...{ apiVersion: 'v1', kind: 'Event', metadata: { generateName: 'Registered-', namespace: 'default' } },
        ...{ involvedObject: subject, reason: 'Registered', message: 'm', type: 'Normal', count: 1 },
        source: { component: 'metal3-baremetal-controller' },
        reportingComponent: 'metal3.io/baremetal-controller',
        ...{ firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:00Z' },
        related: { kind: 'Consumer' },
      },
    ]);
  });

  it('cost their publisher nothing: the first request goes out after it is done', () => {
    let asked = 0;
    const { events } = recorder(() => Promise.resolve((asked += 1)));
    events.publish(spec('A'));
    expect(asked).toBe(0);
  });

  it('are written one after the other, in order', async () => {
    let running = 0;
    const { events, reasons } = recorder(async ({ reason }) => {
      expect((running += 1)).toBe(1);
      for (let turns = reason === 'A' ? 5 : 0; turns > 0; turns -= 1) await Promise.resolve();
      running -= 1;
    });
    for (const reason of ['A', 'B', 'C']) events.publish(spec(reason));
    await events.flush();
    expect(reasons()).toEqual(['A', 'B', 'C']);
  });

  it('that cannot be written are told and dropped, and the next ones still go out', async () => {
    const { events, reasons, errors } = recorder(({ reason }) =>
      reason === 'A' ? Promise.reject(new Error('refused')) : Promise.resolve(),
    );
    events.publish(spec('A'));
    events.publish(spec('B'));
    await events.flush();
    events.publish(spec('C'));
    await events.flush();
    expect(reasons()).toEqual(['B', 'C']);
    expect(errors).toEqual(['event A was not written: refused']);
  });

  it('of a namespace that is going away are dropped without a word', async () => {
    const ending = { details: { causes: [{ reason: 'NamespaceTerminating' }] } };
    const { events, reasons, errors } = recorder(({ reason }) =>
      reason === 'A' ? Promise.reject(errorFromAnswer('POST /events', 403, ending)) : Promise.resolve(),
    );
    events.publish(spec('A'));
    events.publish(spec('B'));
    await events.flush();
    expect([reasons(), errors]).toEqual([['B'], []]);
  });

  it('wait in a bounded queue, from which the oldest go first', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { events, reasons, errors } = recorder(() => gate);
    for (let index = 0; index < 5_010; index += 1) events.publish(spec(`E${index}`));
    open();
    await events.flush();
    expect(errors).toHaveLength(10);
    expect(reasons()).toHaveLength(5_000);
    expect([reasons()[0], reasons().at(-1)]).toEqual(['E10', 'E5009']);
  });

  it('are cut to the length that a server takes', async () => {
    const { events, written } = recorder(() => Promise.resolve());
    events.publish(spec('A', 'x'.repeat(5000)));
    await events.flush();
    expect(written[0]?.message).toHaveLength(1024);
  });
});
