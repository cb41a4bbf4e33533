import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Ended, runProgram, UpFolder } from '../../support/up-process.js';

jest.setTimeout(120_000);

const folder = new UpFolder();
afterAll(() => folder.remove());

const rack = folder.manifests('rack.yaml', [
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'bmc' }, stringData: { username: 'admin', password: 'b' } },
  {
    ...{ apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', metadata: { name: 'host' } },
    spec: {
      ...{ online: true, bootMACAddress: '02:00:00:00:00:01' },
      bmc: { address: 'redfish://192.0.2.1/redfish/v1/Systems/1', credentialsName: 'bmc' },
    },
  },
]);
const faults = (name: string, effect: object) => folder.file(name, JSON.stringify({ rules: [effect] }));
const other = faults('other.json', { credentials: { username: 'admin', password: 'other' } });
const silentOnce = faults('silent.json', {
  fail: { step: 'verify', times: 1, text: 'Unable to connect to https://192.0.2.1/redfish/v1/' },
});
const alwaysSilent = faults('dead.json', { unreachable: { seconds: 1 } });

const until = (timeout: string, ...args: string[]): Promise<Ended> =>
  runProgram(['up', '--until', 'available', '--timeout', timeout, '--phase-seconds', '0.2', ...args], 20);

describe('`up --until`', () => {
  let refused: Ended;
  let mended: Ended;
  let woken: Ended;
  let dead: Ended;
  beforeAll(async () => {
    [refused, woken, dead] = await Promise.all([
      until('15m', '-f', rack, '--data', folder.dataDir, '--faults', other),
      until('15m', '-f', rack, '--faults', silentOnce),
      until('3m', '-f', rack, '--faults', alwaysSilent),
    ]);
    mended = await until('15m', '--empty', '--data', folder.dataDir);
  }, 90_000);

  it('waits for no host whose own manifest makes it impossible', () => {
    expect([refused.code, refused.stderr]).toEqual([0, '']);
    expect(refused.stdout).toMatch(/^default\/host: cannot become available: .*401/m);
    expect(refused.stdout).toMatch(/^0 of 1 hosts are available$/m);
  });

  it('looks at such a host anew in another run, in which that may be mended', () => {
    expect([mended.code, mended.stderr]).toEqual([0, '']);
    expect(mended.stdout).toMatch(/^1 of 1 hosts are available$/m);
  });

  it('waits for a host whose BMC gives an answer a little later', () => {
    expect([woken.code, woken.stderr]).toEqual([0, '']);
    expect(woken.stdout).toMatch(/error: registration error/);
    expect(woken.stdout).toMatch(/^1 of 1 hosts are available$/m);
  });

  it('ends in failure at the time-out, with the reason, when it gives none', () => {
    expect([dead.code, dead.stderr]).toEqual([1, '']);
    expect(dead.stdout).toMatch(/^default\/host: is not available: .*Unable to connect/m);
    expect(dead.stdout).toMatch(/^0 of 1 hosts are available$/m);
  });
});
