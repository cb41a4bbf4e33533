import { describe, expect, it } from '@jest/globals';
import { deployImages } from '../../../src/config/deploy-images.js';

const general = { DEPLOY_ISO_URL: 'http://iso', DEPLOY_KERNEL_URL: 'http://k', DEPLOY_RAMDISK_URL: 'http://r' };
const environment = {
  ...general,
  DEPLOY_ISO_URL_AARCH64: 'http://iso.arm',
  DEPLOY_ISO_BY_ARCH: 'aarch64:http://never,x86_64:http://iso.x86:8080/a:b',
  DEPLOY_KERNEL_BY_ARCH: ' AArch64:http://k.arm:80/k , x86_64:',
};

describe('agent images', () => {
  it.each([
    ['', { iso: 'http://iso', kernel: 'http://k', ramdisk: 'http://r' }],
    ['aarch64', { iso: 'http://iso.arm', kernel: 'http://k.arm:80/k', ramdisk: 'http://r' }],
    ['AARCH64', { iso: 'http://iso.arm', kernel: 'http://k.arm:80/k', ramdisk: 'http://r' }],
    ['x86_64', { iso: 'http://iso.x86:8080/a:b', kernel: 'http://k', ramdisk: 'http://r' }],
    ['riscv64', { iso: 'http://iso', kernel: 'http://k', ramdisk: 'http://r' }],
  ])('of the architecture "%s" are %j', (architecture, images) => {
    expect(deployImages(environment, architecture)).toEqual(images);
  });

  it('are none where nothing is set, and never an empty entry', () => {
    expect(deployImages({}, 'x86_64')).toEqual({ iso: '', kernel: '', ramdisk: '' });
    expect(deployImages({ ...general, DEPLOY_ISO_URL_X86_64: '' }, 'x86_64').iso).toBe('http://iso');
    expect(deployImages({ ...general, DEPLOY_ISO_BY_ARCH: 'http://x' }, 'http').iso).toBe('//x');
  });
});
