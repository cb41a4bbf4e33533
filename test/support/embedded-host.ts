/** A host on the embedded Ironic, driven operation by operation, with time going on in between. */
import { EmbeddedIronic } from '../../src/embedded/ironic/index.js';
import type { HostAccess, OperationResult, Provisioner, RegisterData } from '../../src/provisioner/index.js';
import { IronicProvisionerFactory } from '../../src/provisioner/ironic/index.js';
import { FakeClock } from './fake-clock.js';
import { hostAccess, ironicConfig, registerData, steady } from './ironic-host.js';

export class EmbeddedHost {
  readonly clock = new FakeClock();
  readonly ironic: EmbeddedIronic;
  provisionerID = '';
  endpoint = '';
  readonly #access: Partial<HostAccess>;
  #factory: IronicProvisionerFactory | undefined;

  /** @param newest version of its API that Ironic offers, such as `1.94`; default: all that there are */
  constructor(access: Partial<HostAccess>, newest?: string) {
    this.#access = access;
    const microversions = newest === undefined ? {} : { microversions: { max: newest } };
    this.ironic = new EmbeddedIronic({ clock: this.clock, ...microversions });
  }

  async start(): Promise<this> {
    const { port } = await this.ironic.start();
    this.endpoint = `http://127.0.0.1:${port}/v1/`;
    this.#factory = new IronicProvisionerFactory({
      config: ironicConfig(this.endpoint),
      clock: this.clock,
      random: steady,
    });
    return this;
  }

  async stop(): Promise<void> {
    await this.#factory?.close();
    await this.ironic.stop();
  }

  /** The node's provision state, as Ironic has it. */
  get state(): string | undefined {
    return this.ironic.node(this.provisionerID)?.provision_state;
  }

  provisioner(): Promise<Provisioner> {
    if (this.#factory === undefined) throw new Error('not started');
    const access = hostAccess({ ...this.#access, provisionerID: this.provisionerID });
    return this.#factory.forHost(access, () => undefined);
  }

  /** Pass after pass until the operation has an outcome. */
  async run(operation: (provisioner: Provisioner) => Promise<OperationResult>): Promise<OperationResult> {
    for (let pass = 0; pass < 200; pass++) {
      const result = await operation(await this.provisioner());
      if (result.kind !== 'inProgress') return result;
      await this.clock.advanceAsync(Math.max(result.requeueAfterMs, 100));
    }
    throw new Error('no end of it');
  }

  register(data: Partial<RegisterData>): Promise<OperationResult> {
    return this.run(async (provisioner) => {
      const answer = await provisioner.register(registerData({ bootMode: 'UEFI', ...data }));
      this.provisionerID = answer.provisionerID || this.provisionerID;
      return answer.result;
    });
  }

  /** As the caller of Prepare and Service does it: asks as unprepared until the work was started. */
  settle(
    operation: (
      provisioner: Provisioner,
      unprepared: boolean,
    ) => Promise<{ readonly result: OperationResult; readonly started: boolean }>,
  ): Promise<OperationResult> {
    let unprepared = true;
    return this.run(async (provisioner) => {
      const { result, started } = await operation(provisioner, unprepared);
      if (started) unprepared = false;
      return result;
    });
  }
}
