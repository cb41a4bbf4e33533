/** Provisioning: write an image, or boot a live ISO, or run a custom step. Provisioner spec, section 7.6. */
import { imageChecksum, type Image } from '../../apis/index.js';
import { awaiting, complete, failed, type OperationResult } from '../results.js';
import type { ProvisionData, ProvisionResult } from '../provisioner.js';
import type { JSONRecord } from './client/index.js';
import { applyPatch, changeProvisionState, type ProvisionTarget } from './commands.js';
import { configDrive } from './config-drive.js';
import { toldReason } from './failure-reason.js';
import { wrapped, type HostSession } from './host-session.js';
import { changesDeployInterface, deployedImage, instancePatch } from './instance-settings.js';
import { section, text, type IronicNode } from './node.js';
import { isSameImage } from './same-image.js';
import { follow, type Row, type StateTable } from './state-table.js';

export async function provision(session: HostSession, data: ProvisionData): Promise<ProvisionResult> {
  const node = await session.node();
  const problem = imageProblem(data.image);
  if (problem) return failed(`Validation failed: ${problem}`);
  const result = await follow(table, { session, node, data });
  return begun.has(node.provisionState) ? { ...result, begun: { imageURL: deployedImage(node) } } : result;
}

/** Where a node gets, or has, what it was told before this call. */
const begun: ReadonlySet<string> = new Set(['deploying', 'wait call-back', 'active']);

type Step = Row<ProvisionData, OperationResult>;

const change =
  (target: ProvisionTarget): Step =>
  async ({ session, node }) =>
    (await changeProvisionState(session, node, target)).result;

/** What a node goes through by itself before it is deployed; from any other state nothing leads there. */
const onTheWay: ReadonlySet<string> = new Set(['deploying', 'cleaning', 'clean wait', 'deleting', 'verifying']);

const table: StateTable<ProvisionData, OperationResult> = {
  rows: {
    available: ({ session, node, data }) => deploy(session, node, data),
    'deploy failed': ({ session, node, data }) => {
      if (isSameImage(node, data)) return deployFailed(session, node, data);
      if (!changesDeployInterface(node, data)) return deploy(session, node, data);
      const before = (reason: string) =>
        failed(
          `The deployment before this one failed: ${reason}. The host is cleaned before it is deployed another way`,
        );
      return toldReason(session, node, before);
    },
    manageable: change('provide'),
    // Not repeated here: the host is deprovisioned after any failure, and that cleans it again.
    'clean failed': ({ session, node }) => toldReason(session, node, (reason) => failed(`Cleaning failed: ${reason}`)),
    active: ({ session, node, data }) => {
      session.publish('ProvisioningComplete', `Provisioned with ${deployedImage(node) || wishOf(data)}`);
      return complete;
    },
    'wait call-back': (at) => (at.data.forceReboot ? change('deleted')(at) : at.session.later()),
  },
  otherwise: ({ session, node: { provisionState } }) =>
    onTheWay.has(provisionState)
      ? session.later()
      : awaiting(session.later(), `its Ironic node to leave the state ${JSON.stringify(provisionState)}`),
};

function imageProblem(image: Image | undefined): string | undefined {
  if (image === undefined || image.url === '') return undefined;
  const checksum = imageChecksum(image);
  return checksum.kind === 'invalid' ? checksum.problem : undefined;
}

function deployFailed(session: HostSession, node: IronicNode, data: ProvisionData): OperationResult {
  return toldReason(session, node, (reason) => failed(`${failureOf(data)}: ${reason}`));
}

function failureOf({ image, customDeploy }: ProvisionData): string {
  const url = image?.url ?? '';
  const method = customDeploy?.method ?? '';
  if (url === '' && method !== '') return `Custom deploy failed (method: ${method})`;
  const checksum = imageChecksum(image);
  const digest = checksum.kind === 'checksum' ? `, checksum: ${checksum.checksum}` : '';
  const by = method === '' ? '' : `, method: ${method}`;
  return `Image provisioning failed (url: ${url}${digest}${by})`;
}

async function deploy(session: HostSession, node: IronicNode, data: ProvisionData): Promise<OperationResult> {
  const patch = instancePatch(node, data, session.host.uid, session.config);
  const outcome = await applyPatch(session, node, patch);
  if (!outcome.applied) return outcome.result;
  const refusal = await validate(session, outcome.node);
  if (refusal) return refusal;
  session.publish('ProvisioningStarted', `Provisioning with ${wishOf(data)}`);
  const extras: JSONRecord = { configdrive: await configDrive(session.host, data) };
  const method = data.customDeploy?.method;
  if (method) extras.deploy_steps = [{ interface: 'deploy', step: method, args: {}, priority: 80 }];
  return (await changeProvisionState(session, outcome.node, 'active', extras)).result;
}

/** undefined: the node may be deployed. */
async function validate(session: HostSession, node: IronicNode): Promise<OperationResult | undefined> {
  let report: JSONRecord;
  try {
    report = await wrapped('failed to validate host', () => session.client.validate(node.uuid));
  } catch (error) {
    return session.refused(node, error);
  }
  const reasons = [section(report.boot), section(report.deploy)]
    .filter(({ result }) => result !== true)
    .map(({ reason }) => text(reason));
  return reasons.length === 0 ? undefined : failed(`host validation error: ${reasons.join('; ')}`);
}

/** What the host is to get, for people: the image, else the custom deploy. */
function wishOf({ image, customDeploy }: ProvisionData): string {
  return image?.url || `custom deploy ${customDeploy?.method ?? ''}`;
}
