/** The config drive, as the JSON that Ironic builds it from. Provisioner spec, section 7.9. */
import { IronchartError, messageOf } from '../../errors.js';
import { isLiveISO } from '../../apis/index.js';
import type { HostAccess, ProvisionData } from '../provisioner.js';
import type { JSONRecord } from './client/index.js';
import { parseObject } from './yaml-object.js';

/** {} for a live ISO, whose Secrets are not even read. @throws IronchartError naming the data that is unusable. */
export async function configDrive(host: HostAccess, data: ProvisionData): Promise<JSONRecord> {
  if (isLiveISO(data.image)) return {};
  const userData = await read('user data', () => data.hostConfig.userData());
  const networkData = await read('network data', () => data.hostConfig.networkData());
  const metaData = await read('metadata', () => data.hostConfig.metaData());
  return {
    ...(userData !== '' && { user_data: userData }),
    ...(networkData !== '' && { network_data: parseObject('network data', networkData) }),
    meta_data: {
      uuid: host.uid,
      'metal3-namespace': host.namespace,
      'metal3-name': host.name,
      'local-hostname': host.name,
      local_hostname: host.name,
      name: host.name,
      ...(metaData !== '' && parseObject('metadata', metaData)),
    },
  };
}

async function read(what: string, getter: () => Promise<string>): Promise<string> {
  try {
    return await getter();
  } catch (error) {
    throw new IronchartError('HOST_DATA_UNREADABLE', `could not retrieve ${what}: ${messageOf(error)}`, {
      retry: error instanceof IronchartError ? error.retry : 'backoff',
    });
  }
}
