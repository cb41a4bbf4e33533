/**
 * A plugin's factory as the operator uses it: what goes in cannot be changed by the plugin, what comes out is checked, and a
 * call that never ends is given up. A fault of the plugin is transient for the host: nothing of the pass is kept, the error
 * names the plugin and the method.
 */
import type { Clock } from '../../clock.js';
import { IronchartError, messageOf } from '../../errors.js';
import type { EventPublisher, HostAccess, Provisioner, ProvisionerFactory } from '../provisioner.js';
import { answerChecks } from './answers.js';
import { optionalMethods, provisionerMethods } from './contract.js';
import { frozenCopy } from './frozen-copy.js';
import { within } from './within.js';

/** Milliseconds that one operation may take. An operation tells how far it is; it does not wait for the end. */
const operationMs = 120_000;

type Method = (...input: unknown[]) => unknown;

export class GuardedFactory implements ProvisionerFactory {
  readonly capacityLimit: number;
  /** There if the plugin has it. */
  readonly knownHosts?: () => Promise<readonly string[]>;

  constructor(
    readonly name: string,
    private readonly factory: ProvisionerFactory,
    private readonly clock: Clock,
  ) {
    this.capacityLimit = factory.capacityLimit;
    if (factory.knownHosts !== undefined) this.knownHosts = () => this.#knownHosts();
  }

  async forHost(host: HostAccess, publish: EventPublisher, signal?: AbortSignal): Promise<Provisioner> {
    const tell: EventPublisher = (reason, message) => publish(String(reason), String(message));
    const making = () => this.factory.forHost(frozenCopy(host), tell, signal);
    const made: unknown = await this.#watched('forHost', making);
    if (typeof made !== 'object' || made === null) throw this.#fault('forHost', 'made no provisioner');
    const provisioner = made as Record<string, unknown>;
    const missing = provisionerMethods.filter((name) => typeof provisioner[name] !== 'function');
    if (missing.length > 0) throw this.#fault('forHost', `made one that lacks ${missing.join(', ')}`);
    const extra = optionalMethods.filter((name) => typeof provisioner[name] === 'function');
    return Object.fromEntries(
      [...provisionerMethods, ...extra].map((name) => [name, this.#guarded(name, provisioner)]),
    ) as unknown as Provisioner;
  }

  close(): Promise<void> {
    return this.#watched('close', () => this.factory.close());
  }

  async #knownHosts(): Promise<readonly string[]> {
    const answer: unknown = await this.#watched('knownHosts', async () => this.factory.knownHosts?.());
    const isList = Array.isArray(answer) && answer.every((key) => typeof key === 'string' && key.includes('/'));
    if (!isList) throw this.#fault('knownHosts', 'gave an answer that is no list of NAMESPACE/NAME');
    return frozenCopy(answer as readonly string[]);
  }

  #guarded(name: keyof Provisioner, provisioner: Record<string, unknown>): Method {
    const call = (input: unknown[]) => (provisioner[name] as Method).apply(provisioner, input.map(frozenCopy));
    const checked = (answer: unknown) => {
      const problem = answerChecks[name](answer);
      if (problem !== undefined) throw this.#fault(name, `gave an answer that ${problem}`);
      return frozenCopy(answer);
    };
    if (name === 'progress') return (...input) => checked(this.#caught(name, () => call(input)));
    return async (...input) => checked(await this.#watched(name, () => Promise.resolve(call(input))));
  }

  /** Errors of the contract are the plugin's to raise; everything else is its fault. */
  async #watched<T>(method: string, work: () => Promise<T>): Promise<T> {
    try {
      // What throws at once is caught here as well.
      return await within(this.clock, operationMs, work());
    } catch (error) {
      throw this.#blamed(method, error);
    }
  }

  /** The same for what answers at once. */
  #caught<T>(method: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#blamed(method, error);
    }
  }

  #blamed(method: string, error: unknown): Error {
    if (error instanceof IronchartError && error.code !== 'PLUGIN_TIMEOUT') return error;
    return this.#fault(method, `failed: ${messageOf(error)}`);
  }

  #fault(method: string, what: string): IronchartError {
    return new IronchartError('PLUGIN_FAULT', `${method} of the plugin ${this.name} ${what}`, { retry: 'backoff' });
  }
}
