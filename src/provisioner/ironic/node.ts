/** An Ironic node, read leniently: null and absent texts are "". */
import { IronicError, type JSONRecord } from './client/index.js';

export interface IronicNode {
  readonly uuid: string;
  readonly name: string;
  readonly provisionState: string;
  readonly targetProvisionState: string;
  readonly powerState: string;
  readonly targetPowerState: string;
  readonly lastError: string;
  readonly maintenance: boolean;
  /** Why Ironic itself has put the node into maintenance. */
  readonly fault: string;
  /** The conductor that holds the node's lock. */
  readonly reservation: string;
  readonly health: string;
  readonly instanceUUID: string;
  readonly bootInterface: string;
  readonly deployInterface: string;
  readonly inspectInterface: string;
  readonly raidInterface: string;
  /** undefined: not set, Ironic's own default holds. */
  readonly automatedClean: boolean | undefined;
  readonly disablePowerOff: boolean;
  readonly driverInfo: JSONRecord;
  readonly properties: JSONRecord;
  readonly instanceInfo: JSONRecord;
  readonly networkData: JSONRecord;
  /** ISO 8601; "": not said. */
  readonly createdAt: string;
}

/** What a list of nodes tells of each. */
export type NodeSummary = Pick<IronicNode, 'uuid' | 'name' | 'provisionState' | 'bootInterface'>;

export const summaryFields = ['uuid', 'name', 'provision_state', 'boot_interface'] as const;

export function toSummary(json: JSONRecord): NodeSummary {
  return {
    uuid: text(json.uuid),
    name: text(json.name),
    provisionState: text(json.provision_state),
    bootInterface: text(json.boot_interface),
  };
}

/** @throws IronicError when it is no node at all. */
export function toNode(json: JSONRecord): IronicNode {
  if (text(json.uuid) === '')
    throw new IronicError('IRONIC_BAD_ANSWER', 'Ironic answered with a node that has no uuid');
  return {
    ...toSummary(json),
    targetProvisionState: text(json.target_provision_state),
    powerState: text(json.power_state),
    targetPowerState: text(json.target_power_state),
    lastError: text(json.last_error),
    maintenance: json.maintenance === true,
    fault: text(json.fault),
    reservation: text(json.reservation),
    health: text(json.health),
    instanceUUID: text(json.instance_uuid),
    deployInterface: text(json.deploy_interface),
    inspectInterface: text(json.inspect_interface),
    raidInterface: text(json.raid_interface),
    automatedClean: typeof json.automated_clean === 'boolean' ? json.automated_clean : undefined,
    disablePowerOff: json.disable_power_off === true,
    driverInfo: section(json.driver_info),
    properties: section(json.properties),
    instanceInfo: section(json.instance_info),
    networkData: section(json.network_data),
    createdAt: text(json.created_at),
  };
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function section(value: unknown): JSONRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JSONRecord) : {};
}
