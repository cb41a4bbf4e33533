import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import type { KubeObject } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { UpFolder, UpProcess } from '../../support/up-process.js';

jest.setTimeout(120_000);

const example = fileURLToPath(new URL('../../../examples/claim.yaml', import.meta.url));
const claim = { namespace: 'team-blue', name: 'database' };

interface Status {
  readonly bareMetalHost?: object;
  readonly conditions?: { readonly type: string; readonly status: string; readonly reason: string }[];
}

describe('the example of a claim', () => {
  it('waits for its host to become available, has it, keeps it over a restart, and lets it go', async () => {
    const folder = new UpFolder();
    const common = ['--data', folder.dataDir, '--phase-seconds', '1'];
    let up = await UpProcess.start(['-f', example, ...common], 16);
    const get = () => up.watch.api.get<KubeObject>(kinds.hostClaim, claim);
    const association = async () => {
      const { conditions = [] } = ((await get())?.status ?? {}) as Status;
      const { status, reason } = conditions.find(({ type }) => type === 'Associated') ?? {};
      return `${status} ${reason}`;
    };
    try {
      await eventually('it waits', async () => (await association()) === 'False NoBareMetalHost');
      await eventually('it has a host', async () => (await association()) === 'True BareMetalHostAssociated');
      expect(((await get())?.status as Status).bareMetalHost).toEqual({ namespace: 'pool', name: 'large-1' });
      const consumer = { kind: 'HostClaim', apiVersion: 'metal3.io/v1alpha1', ...claim };
      expect(up.watch.get('pool/large-1')?.spec.consumerRef).toEqual(consumer);
      const { resourceVersion } = (await get())!.metadata;
      await up.kill();
      up = await UpProcess.start(['--empty', ...common], 16);
      await up.watch.until('pool/large-1', 'there', (host) => host?.spec.consumerRef?.name === 'database');
      expect((await get())?.metadata.resourceVersion).toBe(resourceVersion);
      await up.watch.api.delete(kinds.hostClaim, claim);
      await up.watch.until('pool/large-1', 'free', (host) => host !== undefined && host.spec.consumerRef === undefined);
      await eventually('its end', async () => (await get()) === undefined);
    } finally {
      await up.end();
      folder.remove();
    }
  });
});
