import { describe, expect, it } from '@jest/globals';
import { age, type FleetRow, renderLine, renderTable, summary } from '../../../src/cli/up/fleet-table.js';
import { FleetDisplay } from '../../../src/cli/up/display.js';
import { FakeClock } from '../../support/fake-clock.js';
import { hostFrom, statusFrom } from '../../support/chart-step.js';
import { aHost } from '../../support/host-builder.js';

const row = (change: Partial<FleetRow> = {}): FleetRow => ({
  ...{ key: 'rack/web-1', state: 'provisioned', standing: 'OK', sinceMs: 1000, waitsFor: '' },
  ...change,
});
const fleet = (count: number, of: (index: number) => Partial<FleetRow> = () => ({})) =>
  Array.from({ length: count }, (_, index) => row({ key: `rack/web-${String(index).padStart(3, '0')}`, ...of(index) }));
const control = /[\u0000-\u001f\u007f-\u009f]/;
const evil = '\u001b[2J\u0007\u009b31mfoo\r\n\tbar';

describe('the table of the fleet', () => {
  it.each([0, 1, 17, 20, 21, 200])('fits 80 by 24 with %i hosts, with long texts in every cell', (count) => {
    const long = {
      state: 'powering off before delete',
      standing: `error: ${'x'.repeat(90)}`,
      waitsFor: 'y'.repeat(300),
    };
    for (const rows of [fleet(count), fleet(count, () => long)]) {
      const lines = renderTable(rows, { columns: 80, rows: 24 });
      expect(lines.length).toBeLessThanOrEqual(23);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    }
  });

  it('says how many hosts it does not show', () => {
    const lines = renderTable(fleet(200), { columns: 80, rows: 24 });
    expect(lines[0]).toBe('200 hosts: 200 provisioned');
    expect(lines.at(-1)).toBe('… and 180 more');
    expect(lines).toHaveLength(23);
  });

  it('shows first those in error, then those on their way, then those at rest', () => {
    const rows = [
      row({ key: 'a', state: 'provisioned' }),
      row({ key: 'b', state: 'available' }),
      row({ key: 'c', state: 'inspecting' }),
      row({ key: 'd', state: 'provisioned', standing: 'error: power management error' }),
      row({ key: 'e', state: '' }),
    ];
    const keys = renderTable(rows, { columns: 80, rows: 24 })
      .slice(2)
      .map((line) => line[0]);
    expect(keys.join('')).toBe('dceab');
  });

  it('lets no control character through, whichever cell holds it', () => {
    for (const field of ['key', 'state', 'standing', 'waitsFor'] as const) {
      const rows = fleet(3, () => ({ [field]: evil }));
      for (const line of renderTable(rows, { columns: 80, rows: 24 })) expect(line).not.toMatch(control);
      expect(renderLine(rows[0]!)).not.toMatch(control);
    }
  });

  it('stands in straight columns', () => {
    const lines = renderTable(
      fleet(3, (index) => ({ waitsFor: `w${index}` })),
      { columns: 80, rows: 24 },
    );
    const starts = lines.slice(2).map((line) => line.search(/w\d$/));
    expect(new Set(starts)).toEqual(new Set([lines[1]!.indexOf('WAITS FOR')]));
  });
});

describe('the words for a fleet', () => {
  it('count the hosts in each state, most first', () => {
    expect(summary([])).toBe('0 hosts');
    expect(summary([row(), row({ state: '' }), row({ state: '' })])).toBe('3 hosts: 2 new, 1 provisioned');
  });

  it('give one line for a host', () => {
    expect(renderLine(row({ state: '', standing: '' }))).toBe('rack/web-1: new, OK');
    expect(renderLine(row({ waitsFor: 'a slot' }))).toBe('rack/web-1: provisioned, OK; waits for a slot');
  });

  it.each<[number, string]>([
    [-5000, '0s'],
    [999, '0s'],
    [119_000, '119s'],
    [120_000, '2m'],
    [7_199_000, '119m'],
    [7_200_000, '2h'],
    [864_000_000, '240h'],
  ])('say of %i ms: %s', (ms, text) => expect(age(ms)).toBe(text));
});

describe('the display', () => {
  const object = (state: string) =>
    ({ ...hostFrom(aHost().in(state)), status: statusFrom(aHost().in(state)) }) as never;

  function display(isTerminal: boolean, objects: () => readonly never[]) {
    const [clock, written] = [new FakeClock(), [] as string[]];
    const screen = {
      isTerminal,
      size: () => ({ columns: 80, rows: 24 }),
      write: (text: string) => void written.push(text),
    };
    return { clock, written, display: new FleetDisplay(objects, screen, clock) };
  }

  it('redraws in place on a terminal, and once more at its end', () => {
    let state = 'inspecting';
    const { clock, written, display: shown } = display(true, () => [object(state)]);
    shown.start();
    clock.advance(500);
    state = 'provisioned';
    shown.stop();
    shown.stop();
    expect(written).toHaveLength(3);
    expect(written[1]).toMatch(/^\u001b\[3A\u001b\[0J/);
    expect(written[2]).toContain('provisioned');
    clock.advance(5000);
    expect([written.length, clock.waiting]).toEqual([3, 0]);
  });

  it('tells each change once where there is no terminal, and who is gone', () => {
    let objects = [object('inspecting')];
    const { clock, written, display: shown } = display(false, () => objects);
    shown.start();
    clock.advance(2000);
    objects = [object('provisioned')];
    clock.advance(2000);
    objects = [];
    clock.advance(500);
    shown.stop();
    expect(written).toEqual([
      'default/host: inspecting, OK\n',
      'default/host: provisioned, OK\n',
      'default/host: gone\n',
    ]);
  });
});
