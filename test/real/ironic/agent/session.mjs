/** One run of an agent, from the boot of its machine until the machine is switched off. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './call.mjs';
import { commands, manager } from './commands.mjs';
import { inventoryOf } from './inventory.mjs';
import { AgentError } from './write-image.mjs';

const agentVersion = '13.0.0';
/** Microversions that an agent of that version asks for. */
const lookupVersion = '1.62';
const heartbeatVersion = '1.68';

export class Session {
  commands = [];
  isAlive = true;
  token;
  #node;
  #heartbeatSeconds = 30;
  #wake = () => undefined;

  /** @param parameters of the kernel, which Ironic has put into the boot image; {} for an image that Ironic has not made */
  constructor(machine, parameters, site, log) {
    this.machine = machine;
    this.parameters = parameters;
    this.site = site;
    this.log = log;
  }

  stop() {
    this.isAlive = false;
    this.#wake();
    return null;
  }

  /** The machine resets itself, a moment after the command was answered. */
  reset(kind) {
    const { bmc, bmcAuthorization } = this.site;
    const url = `${bmc}/redfish/v1/Systems/${this.machine.uuid}/Actions/ComputerSystem.Reset`;
    const headers = { authorization: bmcAuthorization };
    setTimeout(() => void call(url, { method: 'POST', headers, body: { ResetType: kind } }), 100);
    return null;
  }

  async run() {
    await sleep(1000 * this.machine.behaviour.bootDelay);
    this.token = this.parameters['ipa-agent-token'];
    const callback = this.parameters['ipa-inspection-callback-url']?.split(',')[0];
    const api = this.parameters['ipa-api-url'];
    if (callback !== undefined) {
      await this.#until(() => this.#inspect(callback));
      // It waits to be switched off then.
      if (api === undefined) return;
    } else if (api === undefined) {
      // An image from elsewhere does not say what is wanted of its agent, so it offers both.
      void this.#until(() => this.#inspect(`${this.site.ironic}/v1/continue_inspection`), 12);
    }
    await this.#until(() => this.#lookUp());
    if (!this.machine.behaviour.noHeartbeat) await this.#beat();
  }

  /** A real ramdisk boots too slowly to ask before Ironic waits for it, or while it is locked: this one asks again. */
  async #until(isDone, times = 240) {
    for (let time = 0; time < times && this.isAlive; time += 1) {
      if (await isDone()) return;
      await sleep(500);
    }
  }

  #toIronic(method, url, version, body) {
    const headers = version === undefined ? {} : { 'x-openstack-ironic-api-version': version };
    return call(url, { method, headers, body, caFile: this.site.caFile });
  }

  async #inspect(url) {
    const { failInspection } = this.machine.behaviour;
    const inventory = inventoryOf(this.machine);
    const { status } = await this.#toIronic('POST', url, undefined, {
      inventory,
      root_disk: inventory.disks[0],
      boot_interface: null,
      configuration: { collectors: ['default', 'logs'], managers: [{ name: manager, version: '1.2' }] },
      error: failInspection,
    });
    this.log('inspection data', status);
    return status < 300;
  }

  get #api() {
    return (this.parameters['ipa-api-url'] ?? this.site.ironic).split(',')[0].replace(/\/$/, '');
  }

  async #lookUp() {
    const addresses = inventoryOf(this.machine).interfaces.map((one) => one.mac_address);
    const url = `${this.#api}/v1/lookup?addresses=${addresses.join(',')}`;
    const { status, text } = await this.#toIronic('GET', url, lookupVersion);
    if (status !== 200) return false;
    const { node, config } = JSON.parse(text);
    this.#node = node.uuid;
    this.#heartbeatSeconds = config.heartbeat_timeout;
    // One that the boot image has brought is not told again.
    this.token ??= config.agent_token;
    this.log('is node', node.uuid);
    return true;
  }

  async #beat() {
    while (this.isAlive && this.#node !== undefined) {
      const { status, text } = await this.#toIronic(
        'POST',
        `${this.#api}/v1/heartbeat/${this.#node}`,
        heartbeatVersion,
        {
          callback_url: `${this.site.self}/agents/${this.machine.uuid}`,
          agent_token: this.token,
          agent_version: agentVersion,
        },
      );
      if (status !== 202) this.log('heartbeat', status, text.slice(0, 200));
      // Soon again when the node was locked.
      await this.#rest(status === 202 ? this.#heartbeatSeconds * 400 : 1000);
    }
  }

  #rest(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * A command of the conductor. One that fails is answered like one that does not; its record tells.
   * @returns {Promise<[number, object]>} status and body
   */
  async execute(name, params, isWaitedFor) {
    const last = this.commands.at(-1);
    if (last?.command_status === 'RUNNING') {
      return [409, { faultcode: 'Client', faultstring: `Agent is busy: executing command ${last.command_name}` }];
    }
    const record = {
      id: randomUUID(),
      command_name: name.split('.').slice(1).join('.'),
      command_status: 'RUNNING',
      command_error: null,
      command_result: null,
    };
    this.commands.push(record);
    this.machine.history.push({ command: name, step: params?.step?.step });
    const end = this.#carryOut(record, name, params);
    if (isWaitedFor || commands[name]?.isAtOnce !== false) await end;
    // The end of a step is told by a heartbeat, by which Ironic goes on.
    else void end.then(() => this.#wake());
    return [200, record];
  }

  async #carryOut(record, name, params) {
    try {
      const command = commands[name];
      if (command === undefined) throw new AgentError('InvalidCommandError', `Unknown command: ${name}`, 400);
      record.command_result = await command.run(this, params);
      record.command_status = 'SUCCEEDED';
    } catch (error) {
      const failure = error instanceof AgentError ? error : new AgentError('CommandExecutionError', error.message);
      record.command_error = failure.toJSON();
      record.command_status = 'FAILED';
    }
    this.log(name, params?.step?.step ?? '', record.command_status, record.command_error?.details ?? '');
  }
}
