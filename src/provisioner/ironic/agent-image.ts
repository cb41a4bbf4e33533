/** Which agent image a node boots: deploy keys of `driver_info`. */
import type { PreprovisioningImageData } from '../provisioner.js';
import type { IronicConfig } from './config.js';

/** undefined: that key is to be gone. */
export interface AgentImage {
  readonly deploy_kernel: string | undefined;
  readonly deploy_ramdisk: string | undefined;
  readonly deploy_iso: string | undefined;
  readonly kernel_append_params: string | undefined;
}

export interface AgentImageInput {
  readonly config: Pick<IronicConfig, 'deployKernelURL' | 'deployRamdiskURL' | 'deployISOURL' | 'imageBuilder'>;
  readonly supportsISO: boolean;
  /** The image that was built for the host. */
  readonly built: PreprovisioningImageData | undefined;
}

const none: AgentImage = {
  deploy_kernel: undefined,
  deploy_ramdisk: undefined,
  deploy_iso: undefined,
  kernel_append_params: undefined,
};

/** undefined: there is nothing suitable, and what the node has stays. */
export function chooseAgentImage({ config, supportsISO, built }: AgentImageInput): AgentImage | undefined {
  if (built?.format === 'iso' && supportsISO) return { ...none, deploy_iso: built.imageURL };
  if (built?.format === 'initrd') return builtRamdisk(built, config.deployKernelURL);
  return config.imageBuilder ? undefined : configuredImage(config, supportsISO);
}

function builtRamdisk(built: PreprovisioningImageData, configuredKernel: string): AgentImage | undefined {
  const kernel = built.kernelURL || configuredKernel;
  if (!kernel) return undefined;
  return {
    ...none,
    deploy_kernel: kernel,
    deploy_ramdisk: built.imageURL,
    kernel_append_params: built.extraKernelParams ? `%default% ${built.extraKernelParams}` : undefined,
  };
}

function configuredImage(config: AgentImageInput['config'], supportsISO: boolean): AgentImage | undefined {
  if (supportsISO && config.deployISOURL) return { ...none, deploy_iso: config.deployISOURL };
  if (!config.deployKernelURL || !config.deployRamdiskURL) return undefined;
  return { ...none, deploy_kernel: config.deployKernelURL, deploy_ramdisk: config.deployRamdiskURL };
}
