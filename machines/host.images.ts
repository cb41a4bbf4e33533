/** When a host wants an image, and when it no longer wants the one it has (host-lifecycle spec §3.1-3.3). */
import type { BareMetalHostSpec, BareMetalHostStatus, Image } from '../src/apis/index.js';

interface Wish {
  readonly spec: BareMetalHostSpec;
  readonly status: BareMetalHostStatus;
}

function recordedUrl({ status }: Wish): string {
  return status.provisioning.image?.url ?? '';
}

function recordedMethod({ status }: Wish): string {
  return status.provisioning.customDeploy?.method ?? '';
}

function wantedUrl({ spec }: Wish): string {
  return spec.image?.url ?? '';
}

function wantedMethod({ spec }: Wish): string {
  return spec.customDeploy?.method ?? '';
}

export function needsProvisioning(wish: Wish): boolean {
  if (!wish.spec.online) return false;
  const isNewImage = wantedUrl(wish) !== '' && recordedUrl(wish) === '';
  const isNewDeploy = wantedMethod(wish) !== '' && wantedMethod(wish) !== recordedMethod(wish);
  return isNewImage || isNewDeploy;
}

/** Only the URL and the deploy method count: an edit of checksum or format re-images nothing. */
export function isProvisioningCancelled(wish: Wish): boolean {
  const isOtherImage = recordedUrl(wish) !== '' && wantedUrl(wish) !== recordedUrl(wish);
  if (wantedMethod(wish) !== '') {
    return isOtherImage || (recordedMethod(wish) !== '' && recordedMethod(wish) !== wantedMethod(wish));
  }
  return recordedMethod(wish) !== '' || wantedUrl(wish) === '' || isOtherImage;
}

/** What of the wish has called the image off, for people; only for a wish that has. */
export function cancelledBy(wish: Wish): string {
  const change = (field: string, wanted: string) => `${field} was ${wanted === '' ? 'removed' : 'changed'}`;
  if (recordedMethod(wish) !== '' && recordedMethod(wish) !== wantedMethod(wish)) {
    return change('spec.customDeploy.method', wantedMethod(wish));
  }
  // Others had provisioned it, and have left no word of what is on it.
  if (recordedUrl(wish) === '' && wish.status.provisioning.state === 'provisioned')
    return 'spec.externallyProvisioned was taken away with neither an image nor a deploy method';
  return change('spec.image.url', wantedUrl(wish));
}

/** States in which the wished image already counts as the host's, although status does not record it yet. */
const wishCounts: ReadonlySet<string> = new Set(['provisioning', 'externally provisioned']);

/**
 * The image that Register works with. An externally provisioned host has its image from the start, so its wish counts while
 * it is registering too: a live-ISO host would otherwise get the wrong deploy interface.
 */
export function currentImage({ spec, status }: Wish): Image | undefined {
  if ((status.provisioning.image?.url ?? '') !== '') return status.provisioning.image;
  return wishIsCurrent({ spec, status }) && (spec.image?.url ?? '') !== '' ? spec.image : undefined;
}

export function hasCustomDeploy(wish: Wish): boolean {
  if (recordedMethod(wish) !== '') return true;
  return wishIsCurrent(wish) && (wish.spec.customDeploy?.method ?? '') !== '';
}

function wishIsCurrent({ spec, status }: Wish): boolean {
  const { state } = status.provisioning;
  return wishCounts.has(state) || (state === 'registering' && spec.externallyProvisioned === true);
}
