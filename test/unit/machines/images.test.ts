import { describe, expect, it } from '@jest/globals';
import {
  cancelledBy,
  currentImage,
  hasCustomDeploy,
  isProvisioningCancelled,
  needsProvisioning,
} from '../../../machines/host.images.js';
import type { BareMetalHostSpec, BareMetalHostStatus } from '../../../src/apis/index.js';

interface Case {
  readonly online?: boolean;
  readonly image?: object;
  readonly method?: string;
  readonly had?: string;
  readonly hadMethod?: string;
  readonly state?: string;
  readonly external?: boolean;
}

const [a, b] = [{ url: 'http://a' }, { url: 'http://b' }];

function wish({ online = true, image, method, had, hadMethod, state = 'provisioned', external }: Case) {
  const spec = {
    ...{ online, image, externallyProvisioned: external },
    ...(method === undefined ? {} : { customDeploy: { method } }),
  } as BareMetalHostSpec;
  const provisioning = {
    ...{ ID: '', state },
    ...(had === undefined ? {} : { image: { url: had } }),
    ...(hadMethod === undefined ? {} : { customDeploy: { method: hadMethod } }),
  };
  return { spec, status: { provisioning } as BareMetalHostStatus };
}

describe('a host needs provisioning', () => {
  it.each<[string, Case, boolean]>([
    ['with an image that is not recorded', { image: a }, true],
    ['with an image, none being recorded by an empty record', { image: a, had: '' }, true],
    ['never while it is to be offline', { image: a, online: false }, false],
    ['not with the image that it has', { image: a, had: a.url }, false],
    ['not at once with another image: the old one goes first', { image: b, had: a.url }, false],
    ['not without a wish', {}, false],
    ['not with an empty image', { image: { url: '' } }, false],
    ['with a custom deploy', { method: 'install' }, true],
    ['with another custom deploy', { method: 'install', hadMethod: 'other' }, true],
    ['not with the custom deploy that it has', { method: 'install', hadMethod: 'install' }, false],
    ['not with an empty custom deploy', { method: '' }, false],
    ['not with a custom deploy while it is to be offline', { method: 'install', online: false }, false],
  ])('%s', (_when, facts, expected) => expect(needsProvisioning(wish(facts))).toBe(expected));
});

describe('what was provisioned is cancelled', () => {
  it.each<[string, Case, boolean]>([
    ['not while the image is still to be recorded', { image: a }, false],
    ['by an image without a URL', { image: { url: '' }, had: a.url }, true],
    ['by an image without a URL also before any is recorded', { image: { url: '' } }, true],
    ['by no image at all', { had: a.url }, true],
    ['by no image at all also before any is recorded', {}, true],
    ['by another URL', { image: b, had: a.url }, true],
    ['not by another checksum', { image: { ...a, checksum: 'other' }, had: a.url }, false],
    ['not by the same custom deploy', { method: 'install', hadMethod: 'install' }, false],
    ['by another custom deploy', { method: 'install', hadMethod: 'other' }, true],
    ['not by a custom deploy still to be recorded', { method: 'install' }, false],
    ['by the removal of the custom deploy', { hadMethod: 'install' }, true],
    ['by the removal of the custom deploy, even with the same image', { image: a, had: a.url, hadMethod: 'i' }, true],
    ['by another image beside the same custom deploy', { method: 'i', hadMethod: 'i', image: b, had: a.url }, true],
    ['by no image beside the same custom deploy', { method: 'i', hadMethod: 'i', had: a.url }, true],
    ['not by being offline', { image: a, had: a.url, online: false }, false],
  ])('%s', (_when, facts, expected) => expect(isProvisioningCancelled(wish(facts))).toBe(expected));
});

describe('what called an image off', () => {
  it.each<[string, Case, string]>([
    ['another URL', { image: b, had: a.url }, 'spec.image.url was changed'],
    ['no image', { had: a.url }, 'spec.image.url was removed'],
    ['no image, before one was recorded', { state: 'provisioning' }, 'spec.image.url was removed'],
    [
      'no image, of a host that others had provisioned',
      { state: 'provisioned' },
      'spec.externallyProvisioned was taken away with neither an image nor a deploy method',
    ],
    ['another custom deploy', { method: 'install', hadMethod: 'other' }, 'spec.customDeploy.method was changed'],
    ['no custom deploy', { image: a, had: a.url, hadMethod: 'i' }, 'spec.customDeploy.method was removed'],
    [
      'another image beside the same custom deploy',
      { method: 'i', hadMethod: 'i', image: b, had: a.url },
      'spec.image.url was changed',
    ],
    [
      'no image beside the same custom deploy',
      { method: 'i', hadMethod: 'i', had: a.url },
      'spec.image.url was removed',
    ],
  ])('is named: %s', (_when, facts, cause) => {
    expect(isProvisioningCancelled(wish(facts))).toBe(true);
    expect(cancelledBy(wish(facts))).toBe(cause);
  });
});

describe('the image to register with', () => {
  it.each<[string, Case, string | undefined]>([
    ['is the recorded one', { had: a.url, image: b }, a.url],
    ['is the wished one while it is provisioned', { image: b, state: 'provisioning' }, b.url],
    ['is the wished one of a host that others provisioned', { image: b, state: 'externally provisioned' }, b.url],
    ['is so from the start', { image: b, state: 'registering', external: true }, b.url],
    ['is none in other states', { image: b, state: 'registering' }, undefined],
    ['is none when available', { image: b, state: 'available' }, undefined],
    ['is none without a URL', { image: { url: '' }, state: 'provisioning' }, undefined],
  ])('%s', (_when, facts, url) => expect(currentImage(wish(facts))?.url).toBe(url));

  it.each<[string, Case, boolean]>([
    ['recorded', { hadMethod: 'install' }, true],
    ['wished while it is provisioned', { method: 'install', state: 'provisioning' }, true],
    ['not wished for yet', { method: 'install', state: 'available' }, false],
    ['empty', { method: '', state: 'provisioning' }, false],
  ])('goes with a custom deploy that is %s', (_when, facts, expected) => {
    expect(hasCustomDeploy(wish(facts))).toBe(expected);
  });
});
