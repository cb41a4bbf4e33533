/** The shape of an actor's work, and what several of them read from a host in the back end's own words. */
import { fromPromise } from 'xstate';
import type { ActorInput } from '../../../machines/index.js';
import type { AutomatedCleaningMode, BootMode, InspectionMode } from '../../provisioner/index.js';
import type { HostServices } from './services.js';

export type Work<I extends ActorInput, T> = (input: I, services: HostServices) => Promise<T>;

export function actorOf<I extends ActorInput>() {
  return <T>(work: Work<I, T>) => fromPromise<T, I>(({ input }) => work(input, input.services as HostServices));
}

export function cleaningMode({ observed }: ActorInput): AutomatedCleaningMode {
  return observed.host.spec.automatedCleaningMode === 'disabled' ? 'disabled' : 'metadata';
}

export function inspectionMode({ observed }: ActorInput): InspectionMode | undefined {
  return observed.host.spec.inspectionMode as InspectionMode | undefined;
}

export function bootMode({ status }: ActorInput): BootMode | undefined {
  return status.provisioning.bootMode as BootMode | undefined;
}
