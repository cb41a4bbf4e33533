import type { Talk } from '../talk.js';
import { cleaningAndService } from './cleaning.js';
import { discovery } from './discovery.js';
import { enrolment } from './enrolment.js';
import { failures } from './failures.js';
import { hardware } from './hardware.js';
import { interruptions, life } from './life.js';
import { lists } from './lists.js';
import { locks } from './locks.js';
import { modelObjects } from './models.js';
import { patches } from './patches.js';
import { ports } from './ports.js';
import { power } from './power.js';
import { ramdisk } from './ramdisk.js';
import { verbs } from './verbs.js';

/** Those that wait most of the time, on machines of their own: they may be held side by side. */
export const slow: readonly string[] = ['locks', 'life', 'interruptions', 'cleaning', 'failures'];

/** All conversations, by the name of the file of their answers. */
export const talks: Readonly<Record<string, (talk: Talk) => Promise<void>>> = {
  models: modelObjects,
  discovery,
  enrolment,
  lists,
  patches,
  ports,
  power,
  hardware,
  ramdisk,
  verbs,
  locks,
  life,
  interruptions,
  cleaning: cleaningAndService,
  failures,
};
