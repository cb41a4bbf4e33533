/** A machine as it stands behind its BMC: what it boots when it is switched on, and what is on its disk. */
import { existsSync, readFileSync } from 'node:fs';
import { Session } from './session.mjs';

/** What a test may change for one machine. Times are seconds. */
const usual = () => ({
  /** From power on to an agent that runs. */
  bootDelay: 0.3,
  /** Of each step, and of single ones by name. */
  stepDelay: 0.2,
  stepDelays: {},
  /** Step to what it fails with. */
  failSteps: {},
  /** What the ramdisk tells as its error, in place of a good inspection. */
  failInspection: null,
  /** No agent comes up. */
  noBoot: false,
  /** It comes up, finds its node, and says no more. */
  noHeartbeat: false,
  /** Laid over what it finds in itself. */
  inventory: {},
});

export class Machine {
  /** The machine as its BMC tells it. */
  system;
  behaviour = usual();
  session;
  /** The image on its disk; null: empty. */
  disk = null;
  running = 'nothing';
  /** Each image that was written, commands in order, and what was booted: nothing is ever taken away. */
  writes = [];
  history = [];
  boots = [];

  constructor(uuid, site) {
    this.uuid = uuid;
    this.site = site;
  }

  change(behaviour) {
    Object.assign(this.behaviour, behaviour);
  }

  restore() {
    this.behaviour = usual();
  }

  /** News from the BMC. */
  take(system) {
    const before = this.system?.power_state;
    this.system = system;
    if (system.power_state === before) return;
    this.#log('power', system.power_state);
    this.session?.stop();
    this.session = undefined;
    this.running = 'nothing';
    if (system.power_state === 'On') this.#boot();
  }

  #boot() {
    const media = this.#media();
    if (media?.isAgent !== true) this.running = media === undefined ? this.#fromDisk() : 'live image';
    else if (this.behaviour.noBoot) this.running = 'nothing';
    else {
      this.running = 'agent';
      this.session = new Session(this, media.parameters, this.site, (...words) => this.#log(...words));
      this.session.run().catch((error) => this.#log('the agent died:', error.stack));
    }
    this.boots.push(this.running);
    this.#log('boots', this.running);
  }

  #fromDisk() {
    return this.disk === null ? 'nothing' : 'disk';
  }

  /** What it boots from in place of its disk: the image in its virtual drive. */
  #media() {
    const { boot_device: device, boot_image: images } = this.system;
    const path = images?.Cd?.[0];
    if (!['Cd', 'UsbCd'].includes(device) || !path || !existsSync(path)) return undefined;
    const text = readFileSync(path).toString('latin1');
    const found = text.matchAll(/\b(ipa-[a-z-]+)=("[^"]*"|[^\s"]+)/g);
    const parameters = {};
    for (const [, name, value] of found) parameters[name] ??= value.replace(/^"|"$/g, '');
    return { parameters, isAgent: Object.keys(parameters).length > 0 || text.includes('IRONCHART-AGENT') };
  }

  toJSON() {
    const { uuid, system, running, disk, writes, history, boots, behaviour } = this;
    return { uuid, power: system?.power_state ?? null, running, disk, writes, history, boots, behaviour };
  }

  #log(...words) {
    console.log(new Date().toISOString(), this.uuid.slice(-4), ...words);
  }
}
