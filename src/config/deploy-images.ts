/** The agent images that the environment offers, for each processor architecture. Names: spec of the controllers, 1.3. */
import type { Environment } from './ironic.js';

export interface DeployImages {
  /** "": none. */
  readonly iso: string;
  readonly kernel: string;
  readonly ramdisk: string;
}

/**
 * Each URL for itself: `DEPLOY_ISO_URL_<ARCH>`, else the architecture's entry in `DEPLOY_ISO_BY_ARCH` (`arch:url,arch:url`),
 * else `DEPLOY_ISO_URL`; kernel and ramdisk alike.
 * @param architecture such as `aarch64`; "" when unknown
 */
export function deployImages(environment: Environment, architecture: string): DeployImages {
  return {
    iso: urlOf(environment, 'DEPLOY_ISO', architecture),
    kernel: urlOf(environment, 'DEPLOY_KERNEL', architecture),
    ramdisk: urlOf(environment, 'DEPLOY_RAMDISK', architecture),
  };
}

function urlOf(environment: Environment, kind: string, architecture: string): string {
  const general = environment[`${kind}_URL`] ?? '';
  if (architecture === '') return general;
  const own = environment[`${kind}_URL_${architecture.toUpperCase()}`];
  return own || listed(environment[`${kind}_BY_ARCH`] ?? '', architecture) || general;
}

/** A URL holds colons itself: only the first one ends the architecture. */
function listed(list: string, architecture: string): string | undefined {
  const wanted = architecture.toLowerCase();
  for (const entry of list.split(',')) {
    const colon = entry.indexOf(':');
    if (colon > 0 && entry.slice(0, colon).trim().toLowerCase() === wanted) return entry.slice(colon + 1).trim();
  }
  return undefined;
}
