import type { Random } from '../../clock.js';
import type { Activity } from './activity.js';
import type { Conductor } from './conductor.js';
import type { Drives } from './drives.js';
import type { FaultTable } from './fault-table.js';
import type { Locks } from './locks.js';
import type { VersionRange } from './microversion.js';
import type { RenderingContext } from './node-rendering.js';
import type { NodeStore } from './node-store.js';
import type { Power } from './power.js';
import type { ProvisionActions } from './provision-actions.js';
import { isRedfish } from './drivers.js';
import type { ApiRequest } from './router.js';
import type { Stamps } from './stamps.js';

/** What the handlers of the API work with. */
export interface Services {
  store: NodeStore;
  stamps: Stamps;
  random: Random;
  locks: Locks;
  conductor: Conductor;
  power: Power;
  drives: Drives;
  provision: ProvisionActions;
  faults: FaultTable;
  activity: Activity;
  host: string;
  /** When the conductor registered. */
  startedAt: string;
  versions: VersionRange;
  /** Most entries of one page of a list. */
  maxLimit: number;
}

export function renderingFor(services: Services, request: ApiRequest): RenderingContext {
  return {
    baseUrl: request.baseUrl,
    minor: request.minor,
    conductor: services.host,
    healthOf: (node) => {
      const known = isRedfish(node.fields.driver) && node.fields.power_state !== null;
      return services.faults.healthOf(node) ?? (known ? 'OK' : null);
    },
  };
}
