import { describe, expect, it } from '@jest/globals';
import { explainDeployFailure } from '../../../../src/controllers/host/deploy-failure.js';

const disk = (name: string, sizeBytes: number) => ({ name, sizeBytes, hctl: '0:0:0:0', rotational: false });
const none = 'No suitable device was found for deployment using these hints';

describe('a deployment that found no disk', () => {
  it('is told with the hints and the disks that there were', () => {
    const text = explainDeployFailure(none, { deviceName: '/dev/vdb' }, [
      disk('/dev/sda', 480e9),
      disk('/dev/sdb', 2e12),
    ]);
    expect(text).toBe(
      `${none} (the root device hints are {"deviceName":"/dev/vdb"}; the disks are /dev/sda 480 GB 0:0:0:0, /dev/sdb 2000 GB 0:0:0:0)`,
    );
  });

  it('is told as well where no disks are known, and with a few of very many', () => {
    expect(explainDeployFailure(none, undefined, undefined)).toContain('hints are {}; no disks are known');
    const many = Array.from({ length: 60 }, (_, index) => disk(`/dev/sd${index}`, 1e9));
    const text = explainDeployFailure(none, {}, many);
    expect(text).toContain('/dev/sd7 ');
    expect(text).not.toContain('/dev/sd8 ');
    expect(text).toMatch(/, …\)$/);
  });
});

it('a deployment that failed otherwise is told as it is', () => {
  expect(explainDeployFailure('no space left', {}, [])).toBe('no space left');
});
