/** An Ironic that wants a password and serves TLS with a certificate of its own authority, both of which change under the operator. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Bed } from './bed.js';
import { BedPlant } from './bed-plant.js';

describe('a real Ironic with basic auth and TLS', () => {
  let bed: Bed;
  let plant: BedPlant;
  let folder: string;

  /** As a mounted Secret would bring them: the operator's own copies, which change when a person changes them. */
  function giveAuthority(): void {
    copyFileSync(bed.caFile, join(folder, 'ca.crt'));
  }
  function givePassword(password: string): void {
    mkdirSync(join(folder, 'ironic'), { recursive: true });
    writeFileSync(join(folder, 'ironic/username'), bed.read('auth/ironic/username'));
    writeFileSync(join(folder, 'ironic/password'), password);
  }

  const waits = (name: string, what: RegExp) =>
    plant.until(name, String(what), ({ status }) => what.test(status?.lifecycle?.waitsFor ?? ''));
  const switched = async (on: boolean) => {
    await plant.change('guarded', { spec: { online: on } });
    return plant.until('guarded', `on: ${on}`, ({ status }) => status?.poweredOn === on);
  };

  beforeAll(async () => {
    bed = await Bed.start('access', { auth: 'http_basic', tls: true, systems: 2 });
    folder = join(bed.folder, 'operator');
    mkdirSync(folder, { recursive: true });
    giveAuthority();
    givePassword('not the password');
    const config = { authDirectory: join(folder, 'ironic'), caFile: join(folder, 'ca.crt'), readinessTTLMs: 1000 };
    plant = await BedPlant.start(bed, { config });
  }, 120_000);
  afterAll(async () => {
    await plant.stop();
    await bed.stop();
  }, 60_000);

  it('is not entered with a wrong password, which is no failure of the host', async () => {
    await plant.add('guarded', 1);
    await waits('guarded', /^Ironic is not ready: .*(401|[Aa]uthori[sz]ation)/);
    expect(plant.host('guarded').status?.errorType).toBeUndefined();
    expect((await bed.request('GET', '/v1/nodes')).body.nodes).toEqual([]);
  }, 60_000);

  it('serves a whole deployment once the password file is put right', async () => {
    givePassword(bed.read('auth/ironic/password'));
    await plant.settled('guarded');
    expect(await bed.agent(1)).toMatchObject({ running: 'disk', writes: [{ checksum: bed.image().checksum }] });
  }, 180_000);

  it('is not believed with a certificate of another authority, until that is in the CA file', async () => {
    await bed.halt('ironic');
    await bed.rotateCertificates();
    await bed.resumeIronic();
    const unanswered = () => plant.requests.filter((line) => line.endsWith(' 0')).length;
    const before = unanswered();
    await plant.change('guarded', { spec: { online: false } });
    await waits('guarded', /^Ironic is not ready: .*certificate/);
    expect((await bed.agent(1)).power).toBe('On');
    expect(unanswered()).toBeGreaterThan(before);
    giveAuthority();
    await plant.until('guarded', 'off', ({ status }) => status?.poweredOn === false);
    await switched(true);
    expect(plant.host('guarded').status).toMatchObject({ errorCount: 0, operationalStatus: 'OK' });
  }, 120_000);

  it('leaves none of its secrets in the log, in hosts or in events', async () => {
    const events = await plant.events('guarded');
    const told = [plant.log.join(''), JSON.stringify(plant.versions('guarded')), JSON.stringify(events)].join('\n');
    expect(told).toContain('guarded');
    for (const secret of [bed.read('auth/ironic/password'), bed.read('bmc-password'), 'not the password']) {
      expect(told).not.toContain(secret);
      expect(told).not.toContain(Buffer.from(secret).toString('base64'));
    }
  });
});
