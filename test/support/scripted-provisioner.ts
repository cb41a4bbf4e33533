import type {
  CapacityView,
  EventPublisher,
  HostAccess,
  OperationResult,
  Provisioner,
  ProvisionerFactory,
} from '../../src/provisioner/index.js';
import { complete } from '../../src/provisioner/index.js';

export interface Call {
  readonly op: string;
  readonly args: readonly unknown[];
}

type Answer = unknown;

const defaults: Record<string, () => Answer> = {
  register: () => ({ result: complete, provisionerID: 'node-1' }),
  preprovisioningImageFormats: () => undefined,
  inspectHardware: () => ({
    result: complete,
    started: false,
    details: { hostname: 'found', cpu: { arch: 'x86_64' } },
  }),
  updateHardwareState: () => ({ poweredOn: true }),
  adopt: () => complete,
  prepare: () => ({ result: complete, started: true }),
  service: () => ({ result: complete, started: true }),
  provision: () => complete,
  deprovision: () => complete,
  delete: () => complete,
  detach: () => complete,
  powerOn: () => complete,
  powerOff: () => complete,
  capacity: (): CapacityView => ({ exempt: false, busy: [] }),
  firmwareSettings: () => ({ settings: {}, schema: {} }),
  firmwareComponents: () => [],
  addBMCEventSubscription: () => ({ result: complete, subscriptionID: 'subscription-1' }),
  findBMCEventSubscriptions: () => [],
  removeBMCEventSubscription: () => complete,
  dataImageAttached: () => false,
  attachDataImage: () => undefined,
  detachDataImage: () => undefined,
  hasPowerFailure: () => false,
  health: () => '',
};

/** A back end that answers what the test says, in order, and else that everything is done. Records every call. */
export class ScriptedBackEnd implements ProvisionerFactory {
  readonly name = 'scripted';
  capacityLimit = 20;
  readonly calls: Call[] = [];
  readonly #script = new Map<string, Answer[]>();
  /** Thrown by `forHost` while set. */
  unready: Error | undefined;
  publish: EventPublisher = () => undefined;
  access: HostAccess | undefined;
  /** Asked first at each call: what it returns is the answer, undefined leaves it to the script; what it throws ends the call. */
  gate: ((op: string) => Answer) | undefined;

  /** Answers for the next calls of an operation; an Error is thrown. The last one stays when `stays` is set. */
  answer(op: string, ...answers: Answer[]): this {
    this.#script.set(op, [...(this.#script.get(op) ?? []), ...answers]);
    return this;
  }

  /** What happened, without the reads that every pass makes. */
  get ops(): string[] {
    const reads = new Set([
      ...['capacity', 'hasPowerFailure', 'health', 'preprovisioningImageFormats', 'firmwareComponents'],
    ]);
    return this.calls.map(({ op }) => op).filter((op) => !reads.has(op));
  }

  argsOf(op: string): Record<string, unknown> {
    const call = this.calls.findLast((each) => each.op === op);
    if (call === undefined) throw new Error(`${op} was not called`);
    return call.args[0] as Record<string, unknown>;
  }

  forget(): void {
    this.calls.splice(0);
  }

  forHost(access: HostAccess, publish: EventPublisher): Promise<Provisioner> {
    if (this.unready !== undefined) return Promise.reject(this.unready);
    this.publish = publish;
    this.access = access;
    const operations = Object.keys(defaults).map((op) => [op, (...args: unknown[]) => this.#take(op, args)]);
    return Promise.resolve({ ...Object.fromEntries(operations), progress: () => ({ state: '' }) } as Provisioner);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #take(op: string, args: readonly unknown[]): Promise<unknown> {
    const given = this.gate?.(op);
    this.calls.push({ op, args });
    if (given !== undefined) return given;
    const script = this.#script.get(op) ?? [];
    const answer = script.length > 0 ? script.shift() : defaults[op]?.();
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

/** For want of an answer of its BMC. */
export const silence: OperationResult = { kind: 'failed', message: 'no route to the BMC', isSilent: true };
export const failing = (message: string): OperationResult => ({ kind: 'failed', message });
export const working = (requeueAfterMs: number): OperationResult => ({ kind: 'inProgress', requeueAfterMs });
export const registering = (result: OperationResult, provisionerID = 'node-1') => ({ result, provisionerID });
