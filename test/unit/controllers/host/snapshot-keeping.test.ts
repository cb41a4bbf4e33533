import { beforeEach, describe, expect, it } from '@jest/globals';
import { SnapshotKeeping } from '../../../../src/controllers/host/snapshot-keeping.js';

const lifecycle = { chart: 'host/1', state: 'available' };

describe('what is known of a server that may drop the snapshot', () => {
  let warnings: string[];
  let keeping: SnapshotKeeping;
  beforeEach(() => {
    warnings = [];
    const quiet = () => undefined;
    const warn = (_fields: object, message: string) => void warnings.push(message);
    keeping = new SnapshotKeeping({ debug: quiet, info: quiet, error: quiet, warn });
  });

  it('is nothing at first: every write is worth it', () => {
    expect(keeping.isPruned).toBe(false);
    expect(keeping.isWorthIt({ lifecycle, lastUpdated: 'now' })).toBe(true);
  });

  it('comes from what is stored after a write, and is told once', () => {
    keeping.note({ lifecycle }, { poweredOn: true });
    keeping.note({ lifecycle }, {});
    expect(keeping.isPruned).toBe(true);
    expect(warnings).toEqual([expect.stringContaining('keeps no status.lifecycle')]);
  });

  it('makes a write of the snapshot alone worthless, and no other', () => {
    keeping.note({ lifecycle }, {});
    expect(keeping.isWorthIt({ lifecycle, lastUpdated: 'now' })).toBe(false);
    expect(keeping.isWorthIt({ lifecycle, errorCount: 1, lastUpdated: 'now' })).toBe(true);
  });

  it('does not come from a write that brought no snapshot', () => {
    keeping.note({ errorCount: 1 }, {});
    keeping.note({ lifecycle: null }, {});
    expect(keeping.isPruned).toBe(false);
  });

  it('changes when the server keeps it again, and is told again when it does not', () => {
    keeping.note({ lifecycle }, {});
    keeping.note({ lifecycle }, { lifecycle });
    expect(keeping.isPruned).toBe(false);
    keeping.note({ lifecycle }, {});
    expect(warnings).toHaveLength(2);
  });
});
