/**
 * For passes that begin in a state which nobody has seen yet, and only for them (folding.ts): that state, with whatever else is
 * owed, is saved before a machine is told to do anything on the strength of it, and so cannot be lost together with the process
 * that has sent the command. In a state that is on the API server already commands wait for nothing: what earlier passes have
 * found out there beside it is found out again after a crash.
 */
import type { Provisioner } from '../../provisioner/index.js';

/**
 * What tells a machine to do something. A registration tells the back end of the host, in every state the same; an adoption
 * begins only after a node was lost and registered anew, which takes passes of its own.
 */
const isCommand: Readonly<Record<keyof Provisioner, boolean>> = {
  register: false,
  preprovisioningImageFormats: false,
  inspectHardware: true,
  updateHardwareState: false,
  adopt: false,
  prepare: true,
  service: true,
  provision: true,
  deprovision: true,
  delete: true,
  detach: true,
  powerOn: true,
  powerOff: true,
  capacity: false,
  firmwareSettings: false,
  firmwareComponents: false,
  addBMCEventSubscription: true,
  findBMCEventSubscriptions: false,
  removeBMCEventSubscription: true,
  dataImageAttached: false,
  attachDataImage: true,
  detachDataImage: true,
  hasPowerFailure: false,
  health: false,
  progress: false,
};

/** The same provisioner; each of its commands waits for `save`, and is not sent when that fails. */
export function savingFirst(provisioner: Provisioner, save: () => Promise<void>): Provisioner {
  return new Proxy(provisioner, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = (args: unknown[]): unknown => Reflect.apply(member, target, args);
      const waits = isCommand[name as keyof Provisioner] ?? true;
      return waits ? (...args: unknown[]) => save().then(() => call(args)) : (...args: unknown[]) => call(args);
    },
  });
}
