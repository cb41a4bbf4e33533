import { randomUUID } from 'node:crypto';
import { modern, type Parsed, type Reply } from '../../support/ironic-api/client.js';
import type { IronicTarget, Machine } from '../../support/ironic-api/target.js';
import { Masking, namesIn, shapeOf } from './masking.js';
import { abridged, errorIn, versionOf, type Models, type Observation } from './observation.js';

export interface Asking {
  /** Version header; null leaves it out. */
  version?: string | null;
  /** The answer is given after a while. */
  late?: boolean;
  /** Only the types of the answer count. */
  shape?: boolean;
  /** Only the names of the answer's innermost members count. */
  keys?: boolean;
}

/** Step, `METHOD path`, body, and how. Words with `@` stand for what was named. */
export type Row = readonly [step: string, request: string, body?: unknown, how?: Asking];

/** One conversation with a server, and what came of each of its steps. */
export class Talk {
  readonly transcript: Record<string, Observation> = {};
  readonly masking = new Masking();
  private readonly nodes = new Set<string>();

  constructor(
    readonly target: IronicTarget,
    private readonly models: Models,
  ) {
    this.name('@base', target.client.root);
    this.name('@conductor', target.conductor);
    this.name('@ghost', '99999999-9999-4999-8999-999999999999');
    this.name('@image', target.image.source);
    this.name('@digest', target.image.sha256);
  }

  name(word: string, text: string): void {
    this.masking.name(word, text);
  }

  /** Names a new identity. */
  identify(...words: string[]): void {
    for (const word of words) this.name(word, randomUUID());
  }

  /** Names what there is to know of a machine; its driver_info. */
  introduce(machine: Machine, number = ''): Record<string, string> {
    this.name(`@bmc${number}`, machine.address);
    this.name(`@system${number}`, machine.system);
    this.name(`@password${number}`, machine.password);
    this.name(`@mac${number}`, machine.macs[0]);
    this.name(`@secondmac${number}`, machine.macs[1]);
    return {
      redfish_address: `@bmc${number}`,
      redfish_system_id: `@system${number}`,
      redfish_username: machine.username,
      redfish_password: `@password${number}`,
    };
  }

  /** A step: asks, and keeps what was answered. */
  async ask(step: string, request: string, body?: unknown, how: Asking = {}): Promise<Reply> {
    if (step in this.transcript) throw new Error(`two steps are called "${step}"`);
    const { version = modern, late = false } = how;
    const began = this.target.elapsed();
    const reply = await this.send(request, body, version, late);
    this.transcript[step] = {
      asked: `${request} ${version ?? 'without a version'}`,
      ...(body !== undefined && { body }),
      ...(late && { seconds: Math.floor((this.target.elapsed() - began) / 1000) }),
      ...(versionOf(reply) !== version && { version: versionOf(reply) }),
      status: reply.status,
      ...this.answered(reply, how),
    };
    return reply;
  }

  private answered(reply: Reply, how: Asking): Partial<Observation> {
    if (reply.status >= 400) return { error: this.masking.mask(errorIn(reply.body)) };
    const location = reply.headers.get('location');
    const answer = this.masking.mask(reply.body);
    return {
      ...(location !== null && { location: this.masking.mask(location) }),
      ...(answer !== null && { answer: this.told(answer, how) }),
    };
  }

  private told(answer: Parsed, { shape = false, keys = false }: Asking): unknown {
    if (keys) return namesIn(answer);
    return shape ? shapeOf(answer) : abridged(answer, this.models);
  }

  /** Keeps something else for the answer to a step. */
  abridge(step: string, answer: unknown): void {
    const observed = this.transcript[step];
    if (observed) observed.answer = answer;
  }

  async askAll(rows: readonly Row[]): Promise<void> {
    for (const row of rows) await this.ask(...row);
  }

  /** Asks for what is no part of the conversation. @throws when it is refused */
  async quietly(request: string, body?: unknown): Promise<Reply> {
    const reply = await this.send(request, body, modern, false);
    if (reply.status >= 400) throw new Error(`${request}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply;
  }

  private async send(request: string, body: unknown, version: string | null, late: boolean): Promise<Reply> {
    const [method = '', path = ''] = this.masking.expand(request).split(' ');
    const answer = this.target.client.send(method, path, this.masking.expand(body), version);
    const reply = await (late ? this.target.during(answer) : answer);
    if (method === 'POST' && path === '/v1/nodes' && reply.status === 201) this.nodes.add(String(reply.body.uuid));
    return reply;
  }

  /** Asks for a state and follows the node until it is in one of the ends. */
  async walk(step: string, word: string, body: { target: string }, ...ends: string[]): Promise<void> {
    await this.settle(word);
    await this.ask(step, `PUT /v1/nodes/${word}/states/provision`, body);
    const states = await this.follow(word, ends);
    const observed = this.transcript[step];
    if (observed) observed.states = states;
    await this.settle(word);
  }

  /** The same without keeping anything. */
  async go(word: string, body: { target: string }, ...ends: string[]): Promise<void> {
    await this.settle(word);
    await this.quietly(`PUT /v1/nodes/${word}/states/provision`, body);
    await this.follow(word, ends);
    await this.settle(word);
  }

  /** The states until one of the ends, each with its target. */
  async follow(word: string, ends: readonly string[]): Promise<string[]> {
    const states: string[] = [];
    for (let attempt = 0; attempt < 2000; attempt += 1) {
      const node = await this.node(word);
      const state = `${node.provision_state} (${node.target_provision_state ?? 'rests'})`;
      if (states.at(-1) !== state) states.push(state);
      if (ends.includes(node.provision_state) && node.target_provision_state === null) return states;
      if (ends.includes(node.provision_state) && / failed$| wait$|call-back$/.test(node.provision_state)) return states;
      await this.target.pass();
    }
    throw new Error(`${word} does not come to ${ends.join(' or ')}: ${states.join(', ')}`);
  }

  /** Waits until the conductor has let go of a node. */
  async settle(word: string): Promise<void> {
    for (let attempt = 0; attempt < 2000; attempt += 1) {
      const { reservation, target_power_state } = await this.node(word);
      if (reservation === null && target_power_state === null) return;
      await this.target.pass();
    }
    throw new Error(`${word} stays locked`);
  }

  private async node(word: string): Promise<Parsed> {
    const fields = 'provision_state,target_provision_state,reservation,target_power_state';
    return (await this.quietly(`GET /v1/nodes/${word}?fields=${fields}`)).body;
  }

  /** Takes away what the conversation has made. */
  async end(): Promise<void> {
    const { client } = this.target;
    for (const uuid of this.nodes) {
      for (let attempt = 0; attempt < 2000; attempt += 1) {
        const path = `/v1/nodes/${uuid}`;
        const { status, body } = await client.get(path);
        if (status === 404) break;
        if (body.reservation === null) {
          if (!body.maintenance)
            await this.target.during(client.put(`${path}/maintenance`, { reason: 'to be deleted' }));
          await this.target.during(client.delete(path));
        } else await this.target.pass();
      }
    }
  }
}
