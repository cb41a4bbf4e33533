/** What is to be done about the image in a host's virtual drive when the host is about to be powered on (host-lifecycle §6.7). */
import type { DataImage, DataImageStatus } from '../src/apis/index.js';
import type { Draft } from './host.context.js';
import { continues, ends, waits } from './host.draft.js';

/** `busy`: the back end works on the host, and nothing can be told. */
export type DriveOutcome =
  | { readonly kind: 'attached' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unreadable'; readonly message: string };

export type DriveChangeOutcome = { readonly kind: 'accepted' } | { readonly kind: 'failed'; readonly message: string };

/** The object, and the pause in milliseconds that its failures so far ask for. */
export interface DataImageObserved {
  readonly object: DataImage;
  readonly retryMs: number;
}

function attachedUrl({ status }: DataImage): string {
  return status?.attachedImage?.url ?? '';
}

/** The back end tells that there is an image, but not which: for that the object's status is trusted. */
export const driveVerdicts = {
  isEmptied: (image: DataImage, drive: DriveOutcome) => drive.kind === 'empty' && attachedUrl(image) !== '',
  mustDetach: (image: DataImage, drive: DriveOutcome) => {
    if (isLeaving(image)) return drive.kind === 'attached';
    return attachedUrl(image) !== '' && attachedUrl(image) !== image.spec.url;
  },
  isLeaving,
  mustAttach: (image: DataImage) => image.spec.url !== '' && attachedUrl(image) !== image.spec.url,
  hasErred: ({ status }: DataImage) => (status?.error?.count ?? 0) > 0 || (status?.error?.message ?? '') !== '',
} as const;

function isLeaving({ metadata }: DataImage): boolean {
  return Boolean(metadata.deletionTimestamp);
}

/** By the object alone: something is to be put into the drive, or taken out of it. */
export function asksForChange(image: DataImage): boolean {
  return isLeaving(image) ? attachedUrl(image) !== '' : attachedUrl(image) !== image.spec.url;
}

// --- what becomes of the object's status

export function emptied(): Partial<DataImageStatus> {
  return { attachedImage: { url: '' } };
}

export function attached({ spec }: DataImage): Partial<DataImageStatus> {
  return { attachedImage: { url: spec.url } };
}

export function settled(): Partial<DataImageStatus> {
  return { error: { count: 0, message: '' } };
}

export function erred({ status }: DataImage, message: string): Partial<DataImageStatus> {
  return { error: { count: (status?.error?.count ?? 0) + 1, message } };
}

// --- and of the pass

const driveWaits = {
  busy: 'its Ironic node to be free, so that its virtual drive can be looked at',
  unreadable: 'its virtual drive to be readable: its DataImage has the reason',
  attached: 'the data image to be in its virtual drive',
  detached: 'the data image to be out of its virtual drive',
} as const;

/** There is no word when it is done, only a time by which it is. */
export function waitForDrive(draft: Draft, image: DataImageObserved, why: keyof typeof driveWaits): Draft {
  return waits(draft, image.retryMs, `${driveWaits[why]}, before it is powered on`);
}

export function lookAgain(draft: Draft): Draft {
  return continues(draft, 0);
}

/** Nobody's fault that a person could mend on the host: the object says what it was, and another try follows soon. */
export function retryDrive(draft: Draft, message: string): Draft {
  return ends(draft, { kind: 'retry', message });
}
