/**
 * A provisioner of one's own: machines that are a table in memory. `ironchart up --provisioner rack --plugin-dir examples/plugin`
 * takes hosts through their whole life on it. A real one would talk to whatever drives the machines; what each method is to do
 * says docs/plugins.md.
 */
import { complete, failed, inProgress, NeedsRegistration } from 'ironchart/provisioner';

export const pluginName = 'rack';
export const contractVersion = 1;

/** Milliseconds that anything takes here. */
const workMs = 200;

export function newProvisionerFactory({ log, clock }) {
  const machines = new Map();
  log.info({ workMs }, 'the rack is ready');
  return {
    name: pluginName,
    capacityLimit: 20,
    async forHost(host, publish) {
      return new Rack(machines, host, publish, clock);
    },
    async close() {
      machines.clear();
    },
  };
}

const hardware = {
  cpu: { arch: 'x86_64', count: 8, model: 'Example', clockMegahertz: 2400 },
  ramMebibytes: 16384,
  hostname: 'example',
  nics: [{ name: 'eth0', mac: '02:00:00:00:00:01', ip: '192.0.2.1' }],
  storage: [{ name: '/dev/sda', sizeBytes: 500_000_000_000, rotational: false }],
};

class Rack {
  constructor(machines, host, publish, clock) {
    Object.assign(this, { machines, host, publish, clock });
  }

  get machine() {
    const machine = this.machines.get(this.host.provisionerID);
    // The operator registers the host again, and nothing is done to it before that.
    if (machine === undefined) throw new NeedsRegistration();
    return machine;
  }

  /** The same call again until the work is done: begins it, looks how far it is, and is complete in the end. */
  work(name) {
    const { machine, clock } = this;
    machine.until[name] ??= clock.now() + workMs;
    if (clock.now() < machine.until[name]) return inProgress(workMs);
    delete machine.until[name];
    return complete;
  }

  async register() {
    const { uid, bmcAddress } = this.host;
    if (bmcAddress === '') return { result: failed('this rack needs a BMC address'), provisionerID: '' };
    const credentials = await this.host.credentials();
    if (credentials === undefined) return { result: failed('this rack needs credentials'), provisionerID: '' };
    if (!this.machines.has(uid)) {
      this.machines.set(uid, { isOn: false, image: undefined, until: {} });
      this.publish('Registered', 'The machine is in the rack');
    }
    return { result: complete, provisionerID: uid };
  }

  async inspectHardware() {
    const result = this.work('inspect');
    return { result, started: false, details: result.kind === 'complete' ? hardware : undefined };
  }

  async provision({ image }) {
    if (this.machine.image === image?.url) return complete;
    const result = this.work('write');
    if (result.kind === 'complete') Object.assign(this.machine, { image: image?.url, isOn: true });
    return result;
  }

  async deprovision() {
    if (this.machine.image === undefined) return complete;
    const result = this.work('wipe');
    if (result.kind === 'complete') Object.assign(this.machine, { image: undefined, isOn: false });
    return result;
  }

  async prepare() {
    return { result: complete, started: false };
  }

  async service() {
    return { result: complete, started: false };
  }

  async adopt() {
    return this.machine && complete;
  }

  async delete() {
    this.machines.delete(this.host.provisionerID);
    return complete;
  }

  async detach() {
    return complete;
  }

  async powerOn() {
    this.machine.isOn = true;
    return complete;
  }

  async powerOff() {
    this.machine.isOn = false;
    return complete;
  }

  async updateHardwareState() {
    return { poweredOn: this.machine.isOn };
  }

  async capacity() {
    return { exempt: true, busy: [] };
  }

  async preprovisioningImageFormats() {
    return undefined;
  }

  async firmwareSettings() {
    return { settings: {}, schema: {} };
  }

  async firmwareComponents() {
    return [];
  }

  async addBMCEventSubscription() {
    return { result: failed('the machines of this rack send no events'), subscriptionID: '' };
  }

  async removeBMCEventSubscription() {
    return complete;
  }

  async dataImageAttached() {
    return false;
  }

  async attachDataImage() {
    throw new Error('the machines of this rack have no virtual drive');
  }

  async detachDataImage() {}

  async hasPowerFailure() {
    return false;
  }

  async health() {
    return 'OK';
  }

  progress() {
    return { state: Object.keys(this.machines.get(this.host.provisionerID)?.until ?? {}).join(', ') };
  }
}
