/** Machines of a back end whose hosts are gone. */
export { OrphanController } from './controller.js';
