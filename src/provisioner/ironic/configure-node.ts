/** Settings that a node has at rest: agent image, cleaning, capabilities, architecture; and what is adopted with it. */
import { isLiveISO } from '../../apis/index.js';
import { complete, NeedsPreprovisioningImage, type OperationResult } from '../results.js';
import type { AutomatedCleaningMode, RegisterData } from '../provisioner.js';
import { chooseAgentImage } from './agent-image.js';
import { mergedCapabilities } from './capabilities.js';
import { applyPatch } from './commands.js';
import type { HostSession } from './host-session.js';
import type { IronicNode } from './node.js';
import { NodePatch } from './patch.js';

/** @throws NeedsPreprovisioningImage when the host cannot go on without an image of its own. */
export async function configureNode(
  session: HostSession,
  node: IronicNode,
  data: RegisterData,
): Promise<OperationResult> {
  const image = chooseAgentImage({
    config: session.config,
    supportsISO: session.access().supportsISOPreprovisioningImage,
    built: data.preprovisioningImage,
  });
  const patch = new NodePatch();
  if (image) patch.section('driver_info', node.driverInfo, { ...image });
  patch
    .field('automated_clean', node.automatedClean, wantsCleaning(data.automatedCleaningMode))
    .section('properties', node.properties, {
      capabilities: mergedCapabilities(node.properties.capabilities, data.bootMode),
    });
  patch.section('instance_info', node.instanceInfo, adoptedImage(node, data));
  if (data.cpuArchitecture !== '') patch.section('properties', node.properties, { cpu_arch: data.cpuArchitecture });
  const outcome = await applyPatch(session, node, patch);
  if (!outcome.applied) return outcome.result;
  if (image === undefined && session.config.imageBuilder && needsAgent(data)) throw new NeedsPreprovisioningImage();
  return complete;
}

const toBeAdopted: ReadonlySet<string> = new Set(['manageable', 'adopt failed']);
const inUse: ReadonlySet<string> = new Set(['provisioned', 'externally provisioned']);

/** A node made anew is adopted with the live image that its machine runs: without one Ironic finds nothing to boot, and refuses. */
function adoptedImage({ provisionState }: IronicNode, { state, currentImage }: RegisterData): Record<string, string> {
  const isAdopted = toBeAdopted.has(provisionState) && inUse.has(state);
  return isAdopted && isLiveISO(currentImage) && currentImage?.url ? { boot_iso: currentImage.url } : {};
}

export function wantsCleaning(mode: AutomatedCleaningMode): boolean {
  return mode !== 'disabled';
}

/** The host will boot the agent in its present state. */
function needsAgent(data: RegisterData): boolean {
  switch (data.state) {
    case 'inspecting':
      return data.inspectionMode !== 'fast';
    case 'deprovisioning':
      return wantsCleaning(data.automatedCleaningMode);
    case 'preparing':
      return true;
    case 'provisioned':
    case 'externally provisioned':
      return data.operationalStatus === 'servicing';
    default:
      return false;
  }
}
