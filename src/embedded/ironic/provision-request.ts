import { badRequest, notAcceptable, serverError } from './api-error.js';
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
  const unknown = Object.keys(given).filter((key) => !members.includes(key));
  if (unknown.length > 0) throw badRequest(`Unexpected arguments: ${unknown.join(', ')}`);
  if (!('target' in given)) throw badRequest('Missing mandatory parameter: target');
  const target = given['target'] ?? null;
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
  throw badRequest(`Expected types <class 'NoneType'>, <class 'list'> for ${name}: ${pythonText(value)}`);
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
  const unknown = Object.keys(configdrive).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw badRequest(
      `Invalid configdrive format: Additional properties are not allowed (${pythonText(unknown)} was unexpected)`,
    );
  }
  for (const key of ['meta_data', 'network_data']) {
    const value = configdrive[key];
    if (value !== undefined && value !== null && !isObject(value)) {
      throw badRequest(`Invalid configdrive format: ${pythonText(value)} is not of type 'object', 'null'`);
    }
  }
}

const stepInterfaces: Readonly<Record<string, readonly string[]>> = {
  clean: ['vendor', 'power', 'management', 'firmware', 'deploy', 'bios', 'raid'],
  deploy: ['vendor', 'power', 'management', 'firmware', 'deploy', 'bios', 'raid'],
  service: ['vendor', 'power', 'management', 'firmware', 'deploy', 'bios', 'raid'],
};

function checkSteps(kind: 'clean' | 'deploy' | 'service', steps: readonly Step[]): void {
  if (steps.length === 0)
    throw badRequest(`"${kind}_steps" is required when setting target provision state to ${kind}`);
  const allowed = stepInterfaces[kind] ?? [];
  steps.forEach((step, index) => {
    // The real server looks the member up without asking whether it is there.
    if (!isObject(step) || !('interface' in step)) throw serverError("'interface'");
    if (!allowed.includes(step.interface)) throw badRequest(wrongInterface(kind, step.interface, index, allowed));
    if (typeof step.step !== 'string' || step.step === '') {
      throw badRequest(`Invalid ${kind}_steps: 'step' is a required property`);
    }
  });
}

function wrongInterface(kind: string, value: Json, index: number, allowed: readonly string[]): string {
  const shown = pythonText(value);
  const listed = allowed.map((name) => `'${name}'`);
  return (
    `Invalid ${kind}_steps: ${shown} is not one of ${pythonText([...allowed])}\n\n` +
    "Failed validating 'enum' in schema['items']['properties']['interface']:\n" +
    `    {'description': 'driver interface',\n     'enum': [${listed.join(',\n              ')}]}\n\n` +
    `On instance[${index}]['interface']:\n    ${shown}`
  );
}
