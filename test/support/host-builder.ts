import type { BareMetalHostSpec, BareMetalHostStatus } from '../../src/apis/index.js';
import { finalizers } from '../../src/apis/index.js';
import type { KubeObject } from '../../src/kube/index.js';

type Spec = Partial<BareMetalHostSpec> & Record<string, unknown>;
type Status = Partial<Omit<BareMetalHostStatus, 'provisioning'>> & {
  provisioning?: Partial<BareMetalHostStatus['provisioning']>;
};

export const image = { url: 'http://images/os.qcow2', checksum: 'abcd', checksumType: 'sha256' } as const;

/** The host of the behaviour cases: online, with an image, a good BMC Secret, registered, and nothing wrong. */
export class HostBuilder {
  #spec: Spec = {
    online: true,
    bootMACAddress: '02:00:00:00:00:01',
    bmc: { address: 'redfish://192.0.2.10/redfish/v1/Systems/1', credentialsName: 'bmc' },
    image,
  };
  #status: Status | undefined;
  #annotations: Record<string, string> = {};
  #finalizers: string[] = [finalizers.host];
  #labels: Record<string, string> = {};
  #deleted = false;

  constructor(private readonly name = 'host') {}

  spec(change: Spec): this {
    this.#spec = { ...this.#spec, ...change };
    return this;
  }

  withoutImage(): this {
    const { image: _image, ...rest } = this.#spec;
    this.#spec = rest;
    return this;
  }

  /** In this state, with power on and the image recorded where the state has one. */
  in(state: string, change: Status = {}): this {
    const hasImage = state === 'provisioned' || state === 'deprovisioning';
    this.#status = {
      operationalStatus: 'OK',
      errorMessage: '',
      errorCount: 0,
      provisioningFailCount: 0,
      poweredOn: true,
      hardwareProfile: 'unknown',
      lastUpdated: '2026-01-01T00:00:00Z',
      ...change,
      provisioning: {
        state,
        ID: 'node-1',
        rootDeviceHints: { deviceName: '/dev/sda' },
        ...(hasImage ? { image } : {}),
        ...change.provisioning,
      },
    };
    return this;
  }

  annotated(annotations: Record<string, string>): this {
    this.#annotations = { ...this.#annotations, ...annotations };
    return this;
  }

  labelled(labels: Record<string, string>): this {
    this.#labels = { ...this.#labels, ...labels };
    return this;
  }

  withoutFinalizer(): this {
    this.#finalizers = [];
    return this;
  }

  deleted(): this {
    this.#deleted = true;
    return this;
  }

  get isDeleted(): boolean {
    return this.#deleted;
  }

  get status(): Status | undefined {
    return this.#status;
  }

  object(): KubeObject {
    return {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: {
        name: this.name,
        namespace: 'default',
        annotations: this.#annotations,
        labels: this.#labels,
        finalizers: this.#finalizers,
      },
      spec: this.#spec,
    };
  }
}

export function aHost(name?: string): HostBuilder {
  return new HostBuilder(name);
}
