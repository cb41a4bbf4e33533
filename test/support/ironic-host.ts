/** A host on a mock Ironic, with the data that operations take, ready to be varied. */
import type { Clock, Random } from '../../src/clock.js';
import { defaultDrivers, type DriverEntry } from '../../src/hardware/index.js';
import {
  IronicProvisionerFactory,
  type IronicConfig,
  type IronicFactoryOptions,
  type LookPolicy,
} from '../../src/provisioner/ironic/index.js';
import type {
  HostAccess,
  InspectData,
  PrepareData,
  Provisioner,
  ProvisionData,
  RegisterData,
  ServiceData,
} from '../../src/provisioner/index.js';
import { nodeUUID, type MockIronic } from './mock-ironic.js';

export const hostUID = '0b6e1f3c-5a77-4c1e-9d0a-6f2b8c4d9e10';

/** Each pass reads what it needs, and waits as long as the tables of the specification say. */
export const everyLook: LookPolicy = { firstLookMs: Infinity, nodeFreshForMs: 0, portsFreshForMs: 0 };

/** No jitter. */
export const steady: Random = { next: () => 0 };

export class StillClock implements Clock {
  ms = 0;
  now = () => this.ms;
  monotonic = () => this.ms;
  after = () => ({ cancel: () => undefined });
  sleep = () => Promise.resolve();
}

const testDriver: DriverEntry = {
  driver: 'test',
  interfaces: { boot: 'ipxe', raid: 'no-raid' },
  needsMAC: false,
  supportsISOPreprovisioningImage: false,
  requiresProvisioningNetwork: true,
  supportsSecureBoot: false,
  driverInfo: ({ hostname }, { username, password }, unverified) => ({
    test_port: '42',
    test_username: username,
    test_password: password,
    test_address: hostname,
    ...(unverified && { test_verify_ca: false }),
  }),
};

export const testDrivers = () =>
  defaultDrivers()
    .register('test', testDriver)
    .register('test-needs-mac', { ...testDriver, needsMAC: true });

export function ironicConfig(endpoint: string, changes: Partial<IronicConfig> = {}): IronicConfig {
  return {
    endpoint,
    authDirectory: '/nonexistent/ironic',
    caFile: '',
    certificateFile: '',
    keyFile: '',
    insecure: false,
    readinessTTLMs: 5000,
    timeoutMs: 5000,
    deployKernelURL: 'http://k',
    deployRamdiskURL: 'http://r',
    deployISOURL: 'http://i',
    provisioningLimit: 20,
    liveISOPersistentBootDevice: 'Default',
    directDeployPersistentBootDevice: 'Default',
    externalURLv6: '',
    provisioningNetworkDisabled: false,
    imageBuilder: false,
    ...changes,
  };
}

export interface TestHost {
  readonly provisioner: Provisioner;
  /** `reason: message` of each event. */
  readonly events: string[];
  readonly factory: IronicProvisionerFactory;
}

export interface TestHostOptions {
  readonly host?: Partial<HostAccess>;
  readonly config?: Partial<IronicConfig>;
  readonly factory?: Partial<IronicFactoryOptions>;
  readonly signal?: AbortSignal;
}

export function testFactory(mock: MockIronic, options: TestHostOptions = {}): IronicProvisionerFactory {
  return new IronicProvisionerFactory({
    config: ironicConfig(mock.endpoint, options.config),
    clock: new StillClock(),
    random: steady,
    drivers: testDrivers(),
    resolve: () => Promise.resolve(undefined),
    looks: everyLook,
    ...options.factory,
  });
}

/** A host that is registered as node `nodeUUID`, unless told otherwise. */
export async function testHost(mock: MockIronic, options: TestHostOptions = {}): Promise<TestHost> {
  const factory = testFactory(mock, options);
  const events: string[] = [];
  const publish = (reason: string, message: string) => void events.push(`${reason}: ${message}`);
  return { factory, events, provisioner: await factory.forHost(hostAccess(options.host), publish, options.signal) };
}

export function hostAccess(changes: Partial<HostAccess> = {}): HostAccess {
  return {
    namespace: 'myns',
    name: 'myhost',
    uid: hostUID,
    bmcAddress: 'test://test.bmc/',
    disableCertificateVerification: false,
    credentials: () => Promise.resolve({ username: 'admin', password: 'pw' }),
    bootMACAddress: '',
    provisionerID: nodeUUID,
    ...changes,
  };
}

export function registerData(changes: Partial<RegisterData> = {}): RegisterData {
  return {
    bootMode: undefined,
    automatedCleaningMode: 'metadata',
    state: 'registering',
    operationalStatus: '',
    currentImage: undefined,
    preprovisioningNetworkData: '',
    hasCustomDeploy: false,
    disablePowerOff: false,
    cpuArchitecture: '',
    hardware: undefined,
    disableInspection: false,
    inspectionMode: undefined,
    credentialsChanged: false,
    restartOnFailure: false,
    ...changes,
  };
}

export function inspectData(changes: Partial<InspectData> = {}): InspectData {
  return {
    bootMode: 'UEFI',
    cpuArchitecture: '',
    inspectionMode: undefined,
    restartOnFailure: false,
    refresh: false,
    forceReboot: false,
    ...changes,
  };
}

export function prepareData(changes: Partial<PrepareData> = {}): PrepareData {
  return {
    targetRAID: undefined,
    actualRAID: undefined,
    rootDeviceHints: undefined,
    unprepared: true,
    restartOnFailure: false,
    ...changes,
  };
}

export function serviceData(changes: Partial<ServiceData> = {}): ServiceData {
  return { hasFirmwareSpec: true, unprepared: true, restartOnFailure: false, ...changes };
}

export function provisionData(changes: Partial<ProvisionData> = {}): ProvisionData {
  const nothing = () => Promise.resolve('');
  return {
    image: { url: 'http://test-image', checksum: 'abcd', checksumType: 'sha256' },
    customDeploy: undefined,
    hostConfig: { userData: nothing, networkData: nothing, metaData: nothing },
    bootMode: 'UEFI',
    rootDeviceHints: undefined,
    imagePullSecret: '',
    forceReboot: false,
    ...changes,
  };
}

/** D0, D3 and D10 of the spec. */
export const D = (seconds: number) => ({ kind: 'inProgress', requeueAfterMs: seconds * 1000 });
export const DONE = { kind: 'complete' };
