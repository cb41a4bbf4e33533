/** A host in a world of its own: what people do to it, what its back end answers, and one pass after the other. */
import type { ActorInput, DataImageObserved, FirmwareObjects, Outcome } from '../../machines/index.js';
import type { BareMetalHost, BareMetalHostStatus } from '../../src/apis/index.js';
import { ActorFailure, answerOf, type AnswerKind } from '../support/actor-answers.js';
import { hostFrom, statusFrom, step, type Step, type StepFacts } from '../support/chart-step.js';
import { aHost } from '../support/host-builder.js';
import type { ActorScript } from '../support/scripted-chart.js';

export type Annotations = Readonly<Record<string, string>>;

/** Values that must not turn up in what is kept of a pass. */
export const marks = { secret: 'hunter2-credential', spec: 'spec-only-mark' } as const;

export interface Passed {
  readonly facts: StepFacts;
  /** Undefined when an actor threw: the pass is void. */
  readonly step: Step | undefined;
  readonly calls: readonly string[];
  readonly answered: readonly AnswerKind[];
}

const answering: ReadonlySet<string> = new Set([
  ...['detachHost', 'registerHost', 'inspectHardware', 'prepareHost', 'adoptHost', 'provisionHost', 'deprovisionHost'],
  ...['powerOffHost', 'deleteHost', 'powerOn', 'powerOff', 'serviceHost'],
]);

export class World {
  spec: Record<string, unknown> = {
    userData: { name: marks.spec, namespace: 'default' },
    image: { url: `http://images/${marks.spec}-1` },
  };
  annotations: Annotations = {};
  isDeleted = false;
  isOn = true;
  secretVersion = '1';
  haveSecret = true;
  isSlotFree = true;
  firmware: FirmwareObjects = { isIncomplete: true };
  dataImage: DataImageObserved | undefined;
  status: BareMetalHostStatus;

  constructor(state: string) {
    const isNew = state === '' || state === 'undiscovered';
    this.status = statusFrom(isNew ? aHost() : aHost().in(state));
    if (state === 'undiscovered') this.spec = { ...this.spec, bmc: undefined };
    if (state === 'externally provisioned') this.spec = { ...this.spec, externallyProvisioned: true };
  }

  annotate(key: string, value: string | undefined): void {
    const { [key]: _old, ...rest } = this.annotations;
    this.annotations = value === undefined ? rest : { ...rest, [key]: value };
  }

  get host(): BareMetalHost {
    const builder = aHost()
      .spec(this.spec)
      .annotated({ ...this.annotations });
    return hostFrom(this.isDeleted ? builder.deleted() : builder);
  }

  /** One reconcile, all of whose actors answer by `kinds` in turn. */
  async pass(kinds: readonly AnswerKind[]): Promise<Passed> {
    const facts: StepFacts = {
      ...{ host: this.host, status: this.status, secretVersion: this.secretVersion, isSlotFree: this.isSlotFree },
      // Without a Secret only a host that is being deleted gets this far.
      ...{ haveCredentials: this.haveSecret || !this.isDeleted, maxProvisioningRetries: 2 },
      firmware: this.firmware,
      ...(this.dataImage === undefined ? {} : { dataImage: this.dataImage }),
    };
    const script = new WorldScript(this, kinds);
    try {
      const passed = await step(facts, script);
      this.status = passed.status;
      return { facts, step: passed, calls: script.calls, answered: script.answered };
    } catch (error) {
      if (!(error instanceof ActorFailure)) throw error;
      return { facts, step: undefined, calls: script.calls, answered: script.answered };
    }
  }
}

class WorldScript implements ActorScript {
  readonly secret = marks.secret;
  readonly calls: string[] = [];
  readonly answered: AnswerKind[] = [];

  constructor(
    private readonly world: World,
    private readonly kinds: readonly AnswerKind[],
  ) {}

  answer(name: string, input: ActorInput): unknown {
    this.calls.push(name);
    if (name === 'observePower') return { poweredOn: this.world.isOn };
    if (name === 'observeDrive') return { kind: this.kinds[0] === 'complete' ? 'empty' : 'attached' };
    if (/(at|de)tachDataImage$/.test(name))
      return { kind: this.kinds[0] === 'failed' ? 'failed' : 'accepted', message: 'no' };
    if (!answering.has(name)) return this.#write(name);
    const kind = this.#kindFor(name, input);
    this.answered.push(kind);
    const answer = answerOf(name, kind) as Outcome;
    if (answer.kind !== 'failed') this.#turnPower(name);
    return answer;
  }

  /** Only a node that is lost for good is unreachable: without a Secret, and in a deletion. */
  #kindFor(name: string, { observed }: ActorInput): AnswerKind {
    const kind = this.kinds[this.answered.length % this.kinds.length] ?? 'complete';
    const isLost = this.world.isDeleted && !observed.haveCredentials;
    return kind === 'unreachable' && !(isLost && /adopt|deprovision|powerOffHost/.test(name)) ? 'thrown' : kind;
  }

  #turnPower(name: string): void {
    if (name === 'powerOn') this.world.isOn = true;
    if (name === 'powerOff' || name === 'powerOffHost') this.world.isOn = false;
  }

  #write(name: string): undefined {
    this.#keepFirmware(name);
    if (['removeInspectionRequests', 'removeRebootRequest', 'settleRebootRequests'].includes(name))
      this.world.annotate('reboot.metal3.io', undefined);
    if (name.startsWith('removeInspectionRequest')) this.world.annotate('inspect.metal3.io', undefined);
  }

  /** What the operator itself writes into the firmware objects. */
  #keepFirmware(name: string): void {
    const { firmware } = this.world;
    const { components } = firmware;
    if (name === 'claimFirmwareObjects') this.world.firmware = { ...firmware, isIncomplete: false };
    if (components === undefined || !name.endsWith('FirmwareUpdates')) return;
    const updates = name === 'recordFirmwareUpdates' ? components.spec.updates : undefined;
    this.world.firmware = { ...firmware, components: { ...components, status: { ...components.status, updates } } };
  }
}
