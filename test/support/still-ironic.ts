/** One node of an Ironic in which nothing goes on: asked in process, it judges each command by Ironic's own rules and notes it. */
import {
  acceptedVerbs,
  deletableStates,
  patchableInTransition,
  type ProvisionState,
  type Verb,
} from '../../src/embedded/ironic/state-table.js';
import {
  codeOfStatus,
  IronicError,
  type JSONRecord,
  type PatchOperation,
} from '../../src/provisioner/ironic/client/index.js';
import type { Call } from '../../src/provisioner/ironic/client/transport.js';

export type NodeFields = JSONRecord & { readonly uuid: string; readonly provision_state: string };

/** States that the embedded server never comes to. */
const foreignVerbs: Readonly<Record<string, readonly Verb[]>> = { 'service hold': ['abort'] };

const transitions = /ing$|wait|verifying/;

export class StillIronic {
  /** What was asked for that changes something, in order: verbs, power states, `create`, `delete` and the like. */
  readonly commands: string[] = [];
  /** What a real one would not have taken in the node's state, whoever is at work on it. */
  readonly refusals: string[] = [];
  readonly patches: PatchOperation[] = [];
  #node: NodeFields | undefined;

  constructor(
    node: NodeFields | undefined,
    private readonly address: string,
  ) {
    this.#node = node && structuredClone(node);
  }

  /** As the transport of the client sends it. */
  async send(call: Call): Promise<unknown> {
    await Promise.resolve();
    const [collection = '', id, ...rest] = call.path.split('/').map(decodeURIComponent);
    if (collection === 'ports') return this.#ports(call);
    if (id === undefined) return call.method === 'POST' ? this.#create(call.body as JSONRecord) : { nodes: [] };
    if (this.#node === undefined || ![this.#node.uuid, this.#node.name].includes(id)) throw refusal(404);
    return this.#ofNode(this.#node, `${call.method} ${rest.join('/')}`.trim(), call.body as JSONRecord);
  }

  #ports({ method }: Call): unknown {
    if (method === 'POST') return this.#command('port', { uuid: 'port-1' });
    const { uuid, isNew } = this.#node ?? { uuid: undefined, isNew: true };
    return {
      ports: uuid === undefined || isNew === true ? [] : [{ uuid: 'port-1', node_uuid: uuid, address: this.address }],
    };
  }

  #create(body: JSONRecord): unknown {
    this.#node = { ...body, uuid: String(body.uuid), provision_state: 'enroll', isNew: true };
    return this.#command('create', { ...this.#node });
  }

  #command<T>(name: string, answer: T): T {
    this.commands.push(name);
    return answer;
  }

  #ofNode(node: NodeFields, what: string, body: JSONRecord): unknown {
    switch (what) {
      case 'GET':
        return structuredClone(node);
      case 'PATCH':
        return this.#patch(node, body as unknown as PatchOperation[]);
      case 'DELETE':
        return this.#delete(node);
      case 'PUT states/provision':
        return this.#provision(node, String(body.target) as Verb);
      case 'PUT states/power':
        return this.#locking(node, `power: ${String(body.target)}`);
      case 'PUT maintenance':
        return this.#locking(node, 'set maintenance', { maintenance: true });
      case 'DELETE maintenance':
        return this.#locking(node, 'clear maintenance', { maintenance: false, fault: null });
      case 'GET validate':
        return { boot: { result: true }, deploy: { result: true } };
      case 'GET inventory':
        return { inventory: {}, plugin_data: {} };
      default:
        throw new Error(`the still Ironic knows no ${what}`);
    }
  }

  #locking(node: NodeFields, command: string, change: JSONRecord = {}): undefined {
    this.commands.push(command);
    if (node.reservation !== null) throw refusal(409);
    this.#node = { ...node, ...change };
    return undefined;
  }

  #provision(node: NodeFields, verb: Verb): undefined {
    const accepted = acceptedVerbs[node.provision_state as ProvisionState] ?? foreignVerbs[node.provision_state] ?? [];
    if (!accepted.includes(verb)) this.refusals.push(`${verb} in ${node.provision_state}`);
    if (node.maintenance === true && verb !== 'manage') this.refusals.push(`${verb} in maintenance`);
    return this.#locking(node, verb, { target_provision_state: verb });
  }

  #patch(node: NodeFields, operations: PatchOperation[]): unknown {
    this.patches.push(...operations);
    const { provision_state: state } = node;
    if (node.reservation !== null || (transitions.test(state) && !patchableInTransition.has(state))) throw refusal(409);
    return structuredClone(node);
  }

  #delete(node: NodeFields): undefined {
    const isAllowed = deletableStates.includes(node.provision_state as ProvisionState) || node.maintenance === true;
    if (!isAllowed) this.refusals.push(`delete in ${node.provision_state}`);
    return this.#locking(node, 'delete');
  }
}

function refusal(status: number): IronicError {
  return new IronicError(codeOfStatus(status), `refused with ${status}`, { status });
}
