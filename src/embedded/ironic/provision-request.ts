import { badRequest, missing, notAcceptable, refuseUnknown, unexpectedMembers } from './api-error.js';
import { checkSteps } from './step-schema.js';
import { isObject, plainText, pythonText, type Json, type JsonObject } from './json.js';
import { requireVersion } from './microversion.js';
import type { Step } from './node-record.js';
import { verbSince } from './state-table.js';

/** The body of `PUT …/states/provision`, its form checked. */
export interface ProvisionRequest {
  target: Json;
  configdrive: string | JsonObject | null;
  cleanSteps: Step[];
  deploySteps: Step[];
  serviceSteps: Step[];
}

const members = [
  ...['target', 'configdrive', 'clean_steps', 'deploy_steps', 'service_steps', 'rescue_password', 'disable_ramdisk'],
  'runbook',
];

/** Reads the body. What does not depend on the node's state is refused here. */
export function parseProvisionRequest(body: Json | undefined, minor: number): ProvisionRequest {
  const given = isObject(body) ? body : {};
  refuseUnknown(Object.keys(given), members);
  if (!('target' in given)) throw missing('target');
  const target = given['target'] ?? null;
  if (target !== null && typeof target !== 'string')
    throw badRequest(`Expected string for target: ${plainText(target)}`);
  if (typeof target === 'string') requireVersion(minor, verbSince[target] ?? 1);
  return {
    target,
    configdrive: parseConfigDrive(given['configdrive'] ?? null),
    cleanSteps: listOf('clean_steps', given['clean_steps']),
    deploySteps: listOf('deploy_steps', given['deploy_steps']),
    serviceSteps: listOf('service_steps', given['service_steps']),
  };
}

function parseConfigDrive(value: Json): string | JsonObject | null {
  if (value === null || typeof value === 'string' || isObject(value)) return value;
  throw badRequest(
    `Expected types <class 'NoneType'>, <class 'dict'>, <class 'str'> for configdrive: ${plainText(value)}`,
  );
}

function listOf(name: string, value: Json | undefined): Step[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as Step[];
  throw badRequest(`Expected types <class 'NoneType'>, <class 'list'> for ${name}: ${plainText(value)}`);
}

/** Rules on which verb goes with which steps and config drive, and from which version on. */
export function checkProvisionArguments(request: ProvisionRequest, minor: number): void {
  checkConfigDrive(request, minor);
  if (request.cleanSteps.length > 0 && request.target !== 'clean') {
    throw badRequest('"clean_steps" is only valid when setting target provision state to clean');
  }
  if (request.deploySteps.length > 0) {
    if (minor < 69) throw notAcceptable();
    if (!['active', 'rebuild'].includes(plainText(request.target))) {
      throw badRequest('"deploy_steps" is only valid when setting target provision state to active or rebuild');
    }
    checkSteps('deploy', request.deploySteps);
  }
  if (request.target === 'clean') checkSteps('clean', request.cleanSteps);
  if (request.target === 'service') checkSteps('service', request.serviceSteps);
}

function checkConfigDrive({ configdrive, target }: ProvisionRequest, minor: number): void {
  if (configdrive === null || configdrive === '') return;
  const allowed = minor >= 35 ? ['active', 'rebuild'] : ['active'];
  if (!allowed.includes(plainText(target))) {
    throw badRequest(`Adding a config drive is only supported when setting provision state to ${allowed.join(', ')}`);
  }
  if (typeof configdrive === 'object') {
    if (minor < 56) {
      throw badRequest('Providing a JSON object for configdrive is only supported starting with API version 1.56');
    }
    return checkConfigDriveObject(configdrive);
  }
  if (!configdrive.includes('://') && !/^[A-Za-z0-9+/=\s]*$/.test(configdrive)) {
    throw badRequest('Invalid configdrive format: it is neither a JSON, nor a URL, nor a base64 string');
  }
}

function checkConfigDriveObject(configdrive: JsonObject): void {
  const known = ['meta_data', 'network_data', 'user_data', 'vendor_data'];
  const unknown = Object.keys(configdrive).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw badRequest(`Invalid configdrive format: ${unexpectedMembers(unknown)}`);
  for (const key of ['meta_data', 'network_data']) {
    const value = configdrive[key];
    if (value !== undefined && value !== null && !isObject(value)) {
      throw badRequest(`Invalid configdrive format: ${pythonText(value)} is not of type 'object'`);
    }
  }
}
