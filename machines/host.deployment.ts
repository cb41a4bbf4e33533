/**
 * Which deployment is under way: its image and the method of its custom deploy, written down before the back end is told. An
 * edit does not reach a deployment that was begun before it; the host gets what was begun, and its status must say so. Pure.
 */
import type { CustomDeploy, Image } from '../src/apis/index.js';
import type { Draft, Observed, ProvisioningOutcome } from './host.context.js';
import { cleared, goesOn, withMarks, withProvisioning, withStatus } from './host.draft.js';
import { isSame } from './equality.js';

interface Deployment {
  readonly image?: Image;
  readonly customDeploy?: CustomDeploy;
}

/** What is wished for is what is about to be tried. */
export function intendDeployment(draft: Draft, { host }: Observed): Draft {
  const { image, customDeploy } = host.spec ?? {};
  const marked = withMarks(draft, { begunDeploy: customDeploy?.method ?? '' });
  if (image === undefined || isSame(image, marked.status.lastAttemptedImage)) return marked;
  return withStatus(marked, { lastAttemptedImage: { ...image } });
}

/** What is tried: the wish, unless an earlier one was begun already. */
export function rememberDeployment(draft: Draft, outcome: ProvisioningOutcome, observed: Observed): Draft {
  return begunEarlier(draft, outcome) === undefined ? intendDeployment(draft, observed) : draft;
}

/** Saved where something else is tried than what is on record. */
export function keepDeploying(draft: Draft, outcome: ProvisioningOutcome, observed: Observed): Draft {
  return goesOn(cleared(rememberDeployment(draft, outcome, observed)), draft, outcome);
}

/** If something else than this is wished for by now, that is a change like any other of a host in use. */
export function recordDeployment(draft: Draft, outcome: ProvisioningOutcome, observed: Observed): Draft {
  const wish: Deployment = observed.host.spec ?? {};
  return withMarks(record(draft, begunEarlier(draft, outcome) ?? wish), { begunDeploy: undefined });
}

/** What others have put on the host is taken to be what is wished for. */
export function copyProvisionedImage(draft: Draft, observed: Observed): Draft {
  return record(draft, observed.host.spec ?? {});
}

/** By our own record, if the back end does not contradict it; undefined: nothing was, or it cannot be told. */
function begunEarlier({ status }: Draft, { begun }: ProvisioningOutcome): Deployment | undefined {
  const method = status.lifecycle?.begunDeploy;
  if (begun === undefined || method === undefined) return undefined;
  const customDeploy = method === '' ? {} : { customDeploy: { method } };
  if (begun.imageURL === '') return customDeploy;
  const { lastAttemptedImage: image } = status;
  return image?.url === begun.imageURL ? { image, ...customDeploy } : undefined;
}

/** Copies, so that a later change of the one is none of the other. */
function record(draft: Draft, { image, customDeploy }: Deployment): Draft {
  return withProvisioning(draft, {
    ...(image === undefined ? {} : { image: { ...image } }),
    ...(customDeploy === undefined ? {} : { customDeploy: { ...customDeploy } }),
  });
}
