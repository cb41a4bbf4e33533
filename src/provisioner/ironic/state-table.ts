/** An operation as a table: what to do in each provision state of the node. */
import { IronchartError } from '../../errors.js';
import { failed, type OperationResult } from '../results.js';
import type { HostSession } from './host-session.js';
import type { IronicNode } from './node.js';

export interface At<Data> {
  readonly session: HostSession;
  readonly node: IronicNode;
  readonly data: Data;
}

export type Row<Data, Result> = (at: At<Data>) => Result | Promise<Result>;

export interface StateTable<Data, Result> {
  readonly rows: Readonly<Record<string, Row<Data, Result>>>;
  /** For every other state. */
  readonly otherwise: Row<Data, Result>;
}

export async function follow<Data, Result>(table: StateTable<Data, Result>, at: At<Data>): Promise<Result> {
  const state = at.node.provisionState;
  const row = Object.hasOwn(table.rows, state) ? table.rows[state] : undefined;
  return (row ?? table.otherwise)(at);
}

/** A row for states in which the operation makes no sense. */
export function unexpectedState(doing: string): Row<unknown, never> {
  return ({ node }) => {
    const problem = `${doing}: unexpected provision state ${JSON.stringify(node.provisionState)}`;
    throw new IronchartError('IRONIC_UNEXPECTED_STATE', problem);
  };
}

/**
 * A node is in use while its host knows nothing of it, as after a status was lost. Nothing is touched: a person has to say
 * whether what runs there is to be kept, and so has to see it.
 */
export function inUse({ uuid }: IronicNode): OperationResult {
  return failed(
    `the Ironic node ${uuid} is active, and the status of this host does not say what is deployed on it; nothing is done. ${waysOut}`,
  );
}

/** For whoever has a node in use under a host that does not know of it. */
export const waysOut =
  'To keep what runs there, let the host go by the annotation baremetalhost.metal3.io/detached and its deletion, and create it ' +
  'anew with spec.externallyProvisioned, or with its old status in the annotation baremetalhost.metal3.io/status; ' +
  'to give it up, undeploy the node in Ironic';
