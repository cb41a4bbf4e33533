import { describe, expect, it } from '@jest/globals';
import { FixedImageProvider, makesImages } from '../../../../src/controllers/preprovisioning-image/index.js';
import {
  lookForSecretMs,
  nextStep,
  reconfiguredStatus,
  builtStatus,
} from '../../../../src/controllers/preprovisioning-image/step.js';
import { imageProviderOf } from '../../../../src/cli/image-provider.js';

const makes = {
  supportsArchitecture: (architecture: string) => architecture !== 'riscv64',
  supportsFormat: (format: string) => format === 'initrd',
};
const spec = { architecture: 'x86_64', acceptFormats: ['iso', 'initrd'] };
const none = { kind: 'none' } as const;
const moment = { generation: 1, now: '2026-01-01T00:00:00Z' };
const config = { format: 'initrd', architecture: 'x86_64' } as const;
const made = builtStatus(
  reconfiguredStatus({}, config, moment),
  { kind: 'built', image: { imageURL: 'http://i', kernelURL: 'http://k', extraKernelParams: '' } },
  moment,
);

describe('the next step of an image', () => {
  it('is in the first format that the host takes and that can be made', () => {
    expect(nextStep(spec, {}, none, makes)).toEqual({ kind: 'reconfigure', config });
  });

  it.each([
    ['of another architecture', { ...spec, architecture: 'riscv64' }, none, 'ConfigurationError'],
    ['in no format that can be made', { ...spec, acceptFormats: ['iso'] }, none, 'ConfigurationError'],
    ['in no format at all', { architecture: 'x86_64' }, none, 'ConfigurationError'],
    ['without its network data', { ...spec, networkDataName: 's' }, { kind: 'missing' } as const, 'MissingNetworkData'],
  ])('is none for one %s', (_what, wanted, source, reason) => {
    expect(nextStep(wanted, made, source, makes)).toMatchObject({ kind: 'refuse', reason });
  });

  it('is to make it, and to make it again, as long as it is of what is asked for', () => {
    expect(nextStep(spec, reconfiguredStatus({}, config, moment), none, makes)).toEqual({ kind: 'build', config });
    expect(nextStep(spec, made, none, makes)).toEqual({ kind: 'build', config });
  });

  it('is to withdraw one that is of something else, before it is replaced', () => {
    const source = { kind: 'found', version: '7' } as const;
    const wanted = { ...spec, networkDataName: 's' };
    expect(nextStep(wanted, made, source, makes)).toEqual({ kind: 'withdraw' });
    const noted = reconfiguredStatus({}, { ...config, networkData: { name: 's', version: '6' } }, moment);
    expect(nextStep(wanted, noted, source, makes)).toEqual({
      kind: 'reconfigure',
      config: { ...config, networkData: { name: 's', version: '7' } },
    });
    expect(nextStep(spec, { ...made, networkData: {} }, none, makes)).toMatchObject({ kind: 'build' });
  });
});

it('a Secret that is missing is looked for less and less often', () => {
  const error = { type: 'Error', reason: 'MissingNetworkData', message: '', lastTransitionTime: moment.now };
  const since = Date.parse(moment.now);
  const wait = (seconds: number, status = 'True') =>
    lookForSecretMs([{ ...error, status }], since + seconds * 1000) / 1000;
  expect([wait(0), wait(30), wait(589), wait(590), wait(9_999)]).toEqual([10, 40, 599, 600, 600]);
  expect(wait(500, 'False')).toBe(10);
  expect(lookForSecretMs(undefined, since)).toBe(10_000);
});

describe('the images of the environment', () => {
  const environment = {
    DEPLOY_KERNEL_URL: 'http://k',
    DEPLOY_KERNEL_URL_AARCH64: 'http://k.arm',
    DEPLOY_RAMDISK_URL: 'http://r',
  };
  const notes: string[] = [];
  const provider = (variables: Record<string, string>, buildsImages = true) =>
    imageProviderOf({ buildsImages }, variables, { info: (_fields, message) => void notes.push(message) });
  const request = (format: 'iso' | 'initrd', architecture: string) => ({
    metadata: { namespace: 'n', name: 'h', uid: 'u', labels: {}, annotations: {} },
    ...{ format, architecture },
  });

  it('are those of the architecture, each for itself', async () => {
    expect(await provider(environment)?.build(request('initrd', 'aarch64'), {})).toEqual({
      kind: 'built',
      image: { imageURL: 'http://r', kernelURL: 'http://k.arm', extraKernelParams: '' },
    });
    expect(await provider({ DEPLOY_ISO_URL: 'http://iso' })?.build(request('iso', 'x86_64'), {})).toMatchObject({
      image: { imageURL: 'http://iso', kernelURL: '' },
    });
  });

  it('are of the formats that are there for every architecture', () => {
    const formats = (variables: Record<string, string>) =>
      (['iso', 'initrd'] as const).filter((format) => provider(variables)?.supportsFormat(format));
    expect(formats(environment)).toEqual(['initrd']);
    expect(formats({ DEPLOY_ISO_URL: 'http://iso' })).toEqual(['iso']);
    expect(formats({ ...environment, DEPLOY_ISO_URL: 'http://iso' })).toEqual(['iso', 'initrd']);
    expect(formats({ DEPLOY_RAMDISK_URL: 'http://r', DEPLOY_KERNEL_URL_AARCH64: 'http://k.arm' })).toEqual([]);
  });

  it('are left to others where there are none, which is said, and where nobody asks for them', () => {
    notes.splice(0);
    expect(provider({})).toBeUndefined();
    expect(notes).toHaveLength(1);
    expect(provider(environment, false)).toBeUndefined();
    expect(notes).toHaveLength(1);
    expect(makesImages(new FixedImageProvider(() => ({ iso: '', kernel: 'k', ramdisk: '' })))).toBe(false);
  });
});
