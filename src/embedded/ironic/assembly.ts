import type { Clock, Random } from '../../clock.js';
import { Activity } from './activity.js';
import { Conductor } from './conductor.js';
import { Drives } from './drives.js';
import { FaultTable } from './fault-table.js';
import { Locks } from './locks.js';
import type { VersionRange } from './microversion.js';
import { NodeStore, type ChangeLog } from './node-store.js';
import { Power } from './power.js';
import { PowerSync } from './power-sync.js';
import { ProvisionActions } from './provision-actions.js';
import type { Services } from './services.js';
import type { Settings } from './settings.js';
import { Stamps } from './stamps.js';
import { WorkTimers } from './work-timers.js';

export interface AssemblyParts {
  clock: Clock;
  random: Random;
  settings: Settings;
  versions: VersionRange;
  log: ChangeLog;
  host: string;
  maxLimit: number;
}

export interface Assembly {
  services: Services;
  powerSync: PowerSync;
  /** Cancels everything that waits for a time. */
  stopTimers(): void;
}

/** Puts the parts of the server together. */
export function assemble({ clock, random, settings, versions, log, host, maxLimit }: AssemblyParts): Assembly {
  const stamps = new Stamps(clock);
  const store = new NodeStore(stamps, log);
  const faults = new FaultTable(random, (uuid) => store.portsOf(uuid).map((port) => port.fields.address));
  const activity = new Activity(clock);
  const timersOf = () => new WorkTimers(clock);
  const [timers, errorTimers, powerTimers, driveTimers] = [timersOf(), timersOf(), timersOf(), timersOf()];
  const power = new Power(store, stamps, powerTimers, settings, faults, activity, host);
  const conductor = new Conductor({
    ...{ store, stamps, random, settings, faults, activity, power, timers, errorTimers, host },
  });
  const drives = new Drives(store, driveTimers, settings, faults, host);
  const locks = new Locks(clock, settings, store);
  const powerSync = new PowerSync(clock, settings, store, faults);
  const provision = new ProvisionActions(store, locks, conductor);
  return {
    services: {
      ...{
        store,
        stamps,
        random,
        locks,
        conductor,
        power,
        drives,
        provision,
        faults,
        activity,
        host,
        versions,
        maxLimit,
      },
      startedAt: stamps.next(),
    },
    powerSync,
    stopTimers: () => {
      for (const each of [timers, errorTimers, powerTimers, driveTimers]) each.cancelAll();
      powerSync.stop();
      locks.stop();
    },
  };
}
