/** The demo back end: hosts that show each face of the lifecycle. */
import type { EventPublisher, HostAccess, Provisioner, ProvisionerFactory } from '../provisioner.js';
import { DemoProvisioner } from './demo-provisioner.js';

export class DemoProvisionerFactory implements ProvisionerFactory {
  readonly name = 'demo';
  readonly capacityLimit = Infinity;

  forHost(host: HostAccess, publish: EventPublisher): Promise<Provisioner> {
    return Promise.resolve(new DemoProvisioner(host, publish));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
