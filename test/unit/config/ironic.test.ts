import { describe, expect, it } from '@jest/globals';
import { parseGoDuration } from '../../../src/config/go-duration.js';
import { ironicConfig, ironicReference, type Environment } from '../../../src/config/ironic.js';

const endpoint = { IRONIC_ENDPOINT: 'http://ironic:6385/v1/' };
const read = (environment: Environment, imageBuilder = false) =>
  ironicConfig({ ...endpoint, ...environment }, { imageBuilder });

describe('settings of the Ironic back end', () => {
  it('have defaults for everything but the endpoint', () => {
    expect(read({})).toEqual({
      endpoint: 'http://ironic:6385/v1/',
      authDirectory: '/opt/metal3/auth/ironic',
      caFile: '/opt/metal3/certs/ca/tls.crt',
      certificateFile: '/opt/metal3/certs/client/tls.crt',
      keyFile: '/opt/metal3/certs/client/tls.key',
      insecure: false,
      readinessTTLMs: 5000,
      timeoutMs: 30_000,
      deployKernelURL: '',
      deployRamdiskURL: '',
      deployISOURL: '',
      provisioningLimit: 20,
      liveISOPersistentBootDevice: 'Default',
      directDeployPersistentBootDevice: 'Default',
      externalURLv6: '',
      provisioningNetworkDisabled: false,
      imageBuilder: false,
      proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
    });
    expect(Object.isFrozen(read({}))).toBe(true);
  });

  it('are taken as given', () => {
    expect(
      read({
        METAL3_AUTH_ROOT_DIR: '/auth',
        IRONIC_INSECURE: 'TRUE',
        IRONIC_CLIENT_CACHE_TTL: '0',
        IRONIC_CLIENT_TIMEOUT: '1m30s',
        DEPLOY_KERNEL_URL: 'http://k',
        DEPLOY_RAMDISK_URL: 'http://r',
        PROVISIONING_LIMIT: '7',
        LIVE_ISO_FORCE_PERSISTENT_BOOT_DEVICE: 'Never',
        IRONIC_EXTERNAL_URL_V6: 'http://[2001:db8::1]:6180',
        PROVISIONING_NETWORK_DISABLED: 'True',
        IRONIC_CACERT_FILE: '',
      }),
    ).toMatchObject({
      authDirectory: '/auth/ironic',
      caFile: '/opt/metal3/certs/ca/tls.crt',
      insecure: true,
      readinessTTLMs: 0,
      timeoutMs: 90_000,
      deployRamdiskURL: 'http://r',
      provisioningLimit: 7,
      liveISOPersistentBootDevice: 'Never',
      externalURLv6: 'http://[2001:db8::1]:6180',
      provisioningNetworkDisabled: true,
    });
  });

  it.each([
    [{ IRONIC_ENDPOINT: undefined }, 'IRONIC_ENDPOINT: is not set'],
    [{ IRONIC_ENDPOINT: 'ironic:6385' }, 'IRONIC_ENDPOINT: is not an http or https URL'],
    [{ IRONIC_ENDPOINT: 'http://u:p@ironic' }, 'IRONIC_ENDPOINT: holds credentials'],
    [{ IRONIC_CLIENT_CACHE_TTL: '-1s' }, 'IRONIC_CLIENT_CACHE_TTL: "-1s" must be >= 0'],
    [{ IRONIC_CLIENT_CACHE_TTL: 'soon' }, 'IRONIC_CLIENT_CACHE_TTL: "soon" is not a duration'],
    [{ IRONIC_CLIENT_TIMEOUT: '0s' }, 'IRONIC_CLIENT_TIMEOUT: "0s" must be > 0'],
    [{ PROVISIONING_LIMIT: 'x' }, 'PROVISIONING_LIMIT: "x" is not a whole number'],
    [{ DEPLOY_KERNEL_URL: 'http://k' }, 'can only be set together'],
    [{ DEPLOY_RAMDISK_URL: 'http://r' }, 'can only be set together'],
    [{ DIRECT_DEPLOY_FORCE_PERSISTENT_BOOT_DEVICE: 'always' }, 'choose Default, Always or Never'],
    [{ IRONIC_EXTERNAL_URL_V6: ':' }, 'IRONIC_EXTERNAL_URL_V6: is not a URL'],
  ])('refuse %j', (environment, problem) => {
    expect(() => read(environment)).toThrow(problem);
    expect(() => read(environment)).not.toThrow(/u:p/);
  });

  it('take the variables of a proxy in either case', () => {
    const lower = { http_proxy: 'http://l', https_proxy: 'ls', no_proxy: '.svc' };
    expect(read(lower).proxy).toEqual({ httpProxy: 'http://l', httpsProxy: 'ls', noProxy: '.svc' });
    expect(read({ ...lower, HTTP_PROXY: 'U', NO_PROXY: '*' }).proxy).toMatchObject({ httpProxy: 'U', noProxy: '*' });
  });

  it('need no ramdisk when images are built, but a kernel for one', () => {
    expect(read({ DEPLOY_KERNEL_URL: 'http://k' }, true)).toMatchObject({ deployKernelURL: 'http://k' });
    expect(() => read({ DEPLOY_RAMDISK_URL: 'http://r' }, true)).toThrow('requires DEPLOY_KERNEL_URL');
  });
});

describe('an Ironic of the cluster', () => {
  it.each<[Environment, string[], { namespace: string; name: string } | undefined]>([
    [{ IRONIC_NAME: 'i', IRONIC_NAMESPACE: 'a', POD_NAMESPACE: 'b' }, ['c'], { namespace: 'a', name: 'i' }],
    [{ IRONIC_NAME: 'i', POD_NAMESPACE: 'b' }, ['c'], { namespace: 'b', name: 'i' }],
    [{ IRONIC_NAME: 'i', IRONIC_NAMESPACE: '', POD_NAMESPACE: '' }, ['c'], { namespace: 'c', name: 'i' }],
    [{ IRONIC_NAME: 'i' }, ['c', 'd'], undefined],
    [{ IRONIC_NAME: 'i' }, [], undefined],
    [{ IRONIC_NAME: '', IRONIC_NAMESPACE: 'a' }, ['c'], undefined],
    [{}, ['c'], undefined],
  ])('of %j, with %j watched, is %j', (environment, watched, reference) => {
    expect(ironicReference(environment, watched)).toEqual(reference);
  });

  it('makes an endpoint in the environment needless, and void', () => {
    const inCluster = (environment: Environment) => ironicConfig(environment, { imageBuilder: false, inCluster: true });
    expect(inCluster({})).toMatchObject({ endpoint: '', provisioningLimit: 20 });
    expect(inCluster({ IRONIC_ENDPOINT: 'not a url' }).endpoint).toBe('');
    expect(() => inCluster({ PROVISIONING_LIMIT: 'x' })).toThrow('PROVISIONING_LIMIT');
  });
});

describe('Go durations', () => {
  it.each([
    ['5s', 5000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['-2ms', -2],
    ['+.5s', 500],
    ['100us', 0.1],
    ['0', 0],
    ['', undefined],
    ['5', undefined],
    ['s', undefined],
    ['1d', undefined],
    ['1s ', undefined],
  ])('%j is %s ms', (text, ms) => {
    expect(parseGoDuration(text)).toBe(ms);
  });
});
