import type { FaultStep } from './fault-schema.js';
import { pythonText } from './json.js';
import { bmcAddressOf, driverSetting, type NodeRecord, type Step } from './node-record.js';

/** How Ironic words the last_error of a failed procedure. */
export function failureText(step: FaultStep, node: NodeRecord, steps: readonly Step[], cause: string): string {
  return words[step](node, cause, steps);
}

type Words = (node: NodeRecord, cause: string, steps: readonly Step[]) => string;

const words: Readonly<Record<FaultStep, Words>> = {
  verify: ({ fields }, cause) => `Failed to get power state for node ${fields.uuid}. Error: ${cause}`,
  inspect: ({ fields }, cause) => inspectionText(fields.uuid, cause),
  clean: ({ fields }, cause, [first]) =>
    `Clean step ${first ? stepId(first) : 'deploy.erase_devices_metadata'} failed on node ${fields.uuid}. ${cause}`,
  deploy: ({ fields }, cause) => {
    const step = fields.deploy_interface === 'direct' ? 'write_image' : 'deploy';
    return `Deploy step deploy.${step} failed on node ${fields.uuid}. ${cause}`;
  },
  undeploy: (_node, cause) => `Failed to tear down: ${cause}`,
  adopt: ({ fields }, cause) => `Error while attempting to adopt node ${fields.uuid}: ${cause}.`,
  service: ({ fields }, cause, [first]) => `Node ${fields.uuid} failed step ${pythonText(first ?? {})}: ${cause}`,
  power: (_node, cause) => cause,
};

function inspectionText(uuid: string, cause: string): string {
  return (
    'Async execution of continue_inspection failed with error: Failed to inspect hardware. Reason: failed to run ' +
    'inspection hooks: Failed to inspect hardware. Reason: The following failures happened while running preprocess ' +
    `hooks for node ${uuid}:\nError in preprocess hook ramdisk-error: Failed to inspect hardware. Reason: Ramdisk ` +
    `reported error: ${cause}`
  );
}

export const stepId = (step: Step): string => `${step.interface}.${step.step}`;

export function wrongCredentials(node: NodeRecord): string {
  if (node.fields.driver === 'ipmi') return 'IPMI call failed: power status.';
  const url = bmcAddressOf(node) + driverSetting(node, '_system_id');
  return (
    `Redfish exception occurred. Error: HTTP GET ${url} returned code 401. ` +
    'Base.1.0.GeneralError: Incorrect username or password Extended information: ' +
    "[{'@odata.type': '/redfish/v1/$metadata#Message.1.0.0.Message', 'MessageId': 'Base.1.0.GeneralError'}]"
  );
}

export function unreachableBmc(node: NodeRecord): string {
  if (node.fields.driver === 'ipmi') return 'IPMI call failed: power status.';
  const address = bmcAddressOf(node);
  const { host, port } = hostAndPort(address);
  return (
    `Redfish connection failed for node ${node.fields.uuid}: Unable to connect to ${address}/redfish/v1/. Error: ` +
    `HTTPConnectionPool(host='${host}', port=${port}): Max retries exceeded with url: /redfish/v1/ (Caused by ` +
    `NewConnectionError("HTTPConnection(host='${host}', port=${port}): Failed to establish a new connection: ` +
    '[Errno 111] Connection refused"))'
  );
}

function hostAndPort(address: string): { host: string; port: string } {
  const [, scheme, host = address, port] = /^(?:(\w+):\/\/)?(\[[^\]]*\]|[^:/]+)(?::(\d+))?/.exec(address) ?? [];
  return { host, port: port ?? (scheme === 'http' ? '80' : '443') };
}

/** What a driver misses in driver_info before it can talk to the controller, if anything. */
export function missingDriverInfo(node: NodeRecord): string | null {
  const { driver, uuid, driver_info: info } = node.fields;
  const required: Readonly<Record<string, string>> = {
    redfish: 'redfish_address',
    idrac: 'redfish_address',
    ipmi: 'ipmi_address',
  };
  const key = required[driver];
  if (key === undefined || (typeof info[key] === 'string' && info[key] !== '')) return null;
  return driver === 'ipmi'
    ? `Missing the following IPMI credentials in node's driver_info: ['${key}'].`
    : `Missing the following Redfish properties in node ${uuid} driver_info: ['${key}']`;
}
