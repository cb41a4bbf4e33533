import { badRequest, conflict, invalidState, nodeLocked, notAcceptable, protectedNode } from './api-error.js';
import type { Conductor } from './conductor.js';
import { requireInterface } from './drivers.js';
import { plainText, type Json } from './json.js';
import type { Locks } from './locks.js';
import type { NodeRecord } from './node-record.js';
import type { NodeStore } from './node-store.js';
import { checkProvisionArguments, parseProvisionRequest, type ProvisionRequest } from './provision-request.js';
import { acceptedVerbs, verbAliases, type Verb } from './state-table.js';
import { deployProblem } from './validation.js';

/** What `PUT …/states/provision` asks of the conductor. */
export class ProvisionActions {
  constructor(
    private readonly store: NodeStore,
    private readonly locks: Locks,
    private readonly conductor: Conductor,
  ) {}

  /** Refuses the request, or has the node in its next state when it resolves. */
  async request(node: NodeRecord, body: Json | undefined, minor: number): Promise<void> {
    const request = parseProvisionRequest(body, minor);
    const target = plainText(request.target);
    const verb = (Object.hasOwn(verbAliases, target) ? verbAliases[target] : target) as Verb;
    if (verb === 'active' || verb === 'rebuild') refuseInMaintenance(node, 'provisioning');
    if ((verb === 'deleted' || verb === 'rebuild') && node.fields.protected) throw protectedNode(node.fields.uuid);
    this.checkState(node, verb, target);
    checkProvisionArguments({ ...request, target: request.target === null ? null : verb }, minor);
    checkAbortVersion(node, verb, minor);
    await this.locks.with(node, () => {
      this.checkState(node, verb, target);
      this.begin(node, verb, request);
    });
  }

  /** A verb that the state does not take is 409 while the node is locked, so that clients try again. */
  private checkState(node: NodeRecord, verb: Verb, target: string): void {
    const { uuid, provision_state, reservation } = node.fields;
    if (acceptedVerbs[provision_state].includes(verb)) return;
    if (reservation !== null) throw nodeLocked(uuid, reservation);
    throw invalidState(target, uuid, provision_state);
  }

  private begin(node: NodeRecord, verb: Verb, request: ProvisionRequest): void {
    const { conductor } = this;
    const procedures: Record<Verb, () => void> = {
      manage: () => this.manage(node),
      provide: () => conductor.start(node, 'clean', verb),
      inspect: () => this.inspect(node),
      clean: () => {
        refuseInMaintenance(node, 'cleaning');
        conductor.start(node, 'manualClean', verb, request.cleanSteps);
      },
      adopt: () => conductor.start(node, 'adopt', verb),
      service: () => {
        refuseInMaintenance(node, 'service');
        conductor.start(node, 'service', verb, request.serviceSteps);
      },
      deleted: () => conductor.start(node, 'undeploy', verb),
      abort: () => this.abort(node),
      active: () => this.deploy(node, verb, request),
      rebuild: () => this.deploy(node, verb, request),
    };
    procedures[verb]();
  }

  /** A node that has not proven its controller is verified first; a failed one just comes back. */
  private manage(node: NodeRecord): void {
    if (node.fields.provision_state === 'enroll') this.conductor.start(node, 'verify', 'manage');
    else this.conductor.move(node, 'manageable', 'manage');
  }

  private inspect(node: NodeRecord): void {
    requireInterface(node.fields.driver, 'inspect', node.fields.inspect_interface);
    this.conductor.start(node, 'inspect', 'inspect');
  }

  private deploy(node: NodeRecord, verb: Verb, request: ProvisionRequest): void {
    const { fields } = node;
    const { image_source: source } = fields.instance_info;
    // The kind of image stays, also when the rest is refused.
    if (typeof source === 'string') fields.instance_info = { ...fields.instance_info, image_type: 'whole-disk' };
    const problem = deployProblem(node, this.store);
    if (problem !== null) {
      this.store.save(node);
      throw badRequest(`Failed to validate deploy or power info for node ${fields.uuid}: ${problem}`);
    }
    const info = { ...fields.instance_info };
    if (typeof source === 'string' && fields.deploy_interface === 'direct') info['image_url'] = source;
    if (request.configdrive !== null) info['configdrive'] = request.configdrive;
    fields.instance_info = info;
    this.conductor.start(node, 'deploy', verb, request.deploySteps);
  }

  private abort(node: NodeRecord): void {
    const { uuid, provision_state, maintenance } = node.fields;
    if (provision_state === 'service failed' && maintenance) {
      throw conflict(
        `Can not abort service on node "${uuid}" while it is in maintenance mode. Please remove the node from ` +
          'maintenance prior to issuing the request to abort the service operation.',
      );
    }
    this.conductor.abort(node);
  }
}

function checkAbortVersion(node: NodeRecord, verb: Verb, minor: number): void {
  if (verb !== 'abort') return;
  const since: Readonly<Record<string, number>> = { 'inspect wait': 41, 'wait call-back': 110 };
  if (minor < (since[node.fields.provision_state] ?? 1)) throw notAcceptable();
}

function refuseInMaintenance({ fields }: NodeRecord, operation: string): void {
  if (!fields.maintenance) return;
  throw badRequest(
    `The ${operation} operation can't be performed on node ${fields.uuid} because it's in maintenance mode.`,
  );
}
