import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { discreet, maskOf } from '../../../../src/controllers/host/discretion.js';
import { IronchartError } from '../../../../src/errors.js';
import { AbsentProvisioner } from '../../../../src/provisioner/index.js';

const mask = (password: string) => maskOf({ username: 'admin', password });

describe('a mask', () => {
  it.each([
    ['as it is', 'log-in with s3cr"t-word failed', 'log-in with *** failed'],
    ['in JSON', '{"password": "s3cr\\"t-word"}', '{"password": "***"}'],
    ['in JSON in JSON', '"{\\"password\\": \\"s3cr\\\\\\"t-word\\"}"', '"{\\"password\\": \\"***\\"}"'],
    ['in an address', 'https://admin:s3cr%22t-word@bmc/', 'https://admin:***@bmc/'],
    ['in base64', `Basic ${Buffer.from('s3cr"t-word').toString('base64')}`, 'Basic ***='],
  ])('hides a password %s', (_how, text, masked) => {
    expect(mask('s3cr"t-word')(text)).toBe(masked);
  });

  it('hides a short password where it stands alone, and leaves words whole', () => {
    expect(mask('pw')('pw, "pw" and password=pw: the power is off, as in upwards')).toBe(
      '***, "***" and password=***: the power is off, as in upwards',
    );
  });

  it('takes a password literally, whatever it looks like', () => {
    expect(mask('a.*(b)[c]$')('x a.*(b)[c]$ y aaa')).toBe('x *** y aaa');
    expect(mask('$&$&$&$1')('x $&$&$&$1 y')).toBe('x *** y');
  });

  it('changes nothing without a password', () => {
    expect(maskOf(undefined)('all is well')).toBe('all is well');
    expect(maskOf(undefined)('no image at http://reader:pw@images/x?y=a:b@c, nor at oci://h/x')).toBe(
      'no image at http://reader:***@images/x?y=a:b@c, nor at oci://h/x',
    );
    expect(mask('')('all is well')).toBe('all is well');
  });

  it('never lets a long password through', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, unit: 'binary' }), fc.string(), fc.string(), (secret, before, after) => {
        const masked = mask(secret)(`${before}${secret}${after}`);
        // What is left may be another occurrence only if the stars themselves complete it.
        return secret.includes('***') || !masked.includes(secret);
      }),
    );
  });
});

describe('a discreet provisioner', () => {
  class Chatty extends AbsentProvisioner {
    override delete() {
      return Promise.resolve({ kind: 'failed', message: 'not with s3cret-word' } as const);
    }
    override readonly detach = () =>
      Promise.resolve({ kind: 'inProgress', requeueAfterMs: 5, waitsFor: 'a BMC that takes s3cret-word' }) as never;
    override readonly updateHardwareState = () =>
      Promise.resolve({ poweredOn: true, contradiction: 's3cret-word is of another machine' }) as never;
    readonly #own = 'kept';
    override progress() {
      return { state: this.#own };
    }
    override readonly register = () =>
      Promise.reject(new IronchartError('X', 'refused s3cret-word', { retry: 'never' }));
    override readonly inspectHardware = () =>
      Promise.resolve({
        result: { kind: 'failed', message: 's3cret-word' },
        started: true,
        details: undefined,
      }) as never;
  }
  const provisioner = discreet(new Chatty(), { mask: () => Promise.resolve(mask('s3cret-word')) });

  it('hides the password in failures and in results within answers', async () => {
    expect(await provisioner.delete()).toEqual({ kind: 'failed', message: 'not with ***' });
    expect(await provisioner.inspectHardware({} as never)).toEqual({
      result: { kind: 'failed', message: '***' },
      started: true,
      details: undefined,
    });
  });

  it('hides it in what a host waits for, and in what contradicts it', async () => {
    expect(await provisioner.detach(false)).toEqual({
      ...{ kind: 'inProgress', requeueAfterMs: 5, waitsFor: 'a BMC that takes ***' },
    });
    const contradiction = '*** is of another machine';
    expect(await provisioner.updateHardwareState('available')).toEqual({ poweredOn: true, contradiction });
  });

  it('hides it in errors, which stay what they are', async () => {
    await expect(provisioner.register({} as never)).rejects.toMatchObject({
      name: 'IronchartError',
      code: 'X',
      retry: 'never',
      message: 'refused ***',
    });
  });

  it('hands on everything else', async () => {
    expect(provisioner.progress()).toEqual({ state: 'kept' });
    expect(await provisioner.capacity()).toEqual({ exempt: true, busy: [] });
    expect(await provisioner.health()).toBe('');
  });
});
