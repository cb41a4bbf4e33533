/** The demo back end's door. */
export { DemoProvisionerFactory } from './factory.js';
export { demoNames } from './demo-provisioner.js';
