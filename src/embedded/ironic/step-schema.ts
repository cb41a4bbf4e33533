import { badRequest, serverError, unexpectedMembers } from './api-error.js';
import { isObject, pythonText, type Json, type JsonObject } from './json.js';
import type { Step } from './node-record.js';

export type StepKind = 'clean' | 'deploy' | 'service';

const interfaces = ['vendor', 'power', 'management', 'firmware', 'deploy', 'bios', 'raid'];
const childMembers = ['execute_on_child_nodes', 'limit_child_node_execution'];
const members: Readonly<Record<StepKind, readonly string[]>> = {
  clean: ['interface', 'step', 'args', 'order', ...childMembers],
  deploy: ['interface', 'step', 'args', 'priority'],
  service: ['interface', 'step', 'args', 'order', ...childMembers],
};

/**
 * Checks the steps of a request, which must have some. For the commonest refusal it also tells, like the real
 * server, what it was validating.
 * @throws ApiError 400, or 500 where the real server looks a member up without asking whether it is there
 */
export function checkSteps(kind: StepKind, steps: readonly Step[]): void {
  if (steps.length === 0) {
    throw badRequest(`"${kind}_steps" is required when setting target provision state to ${kind}`);
  }
  for (const [index, step] of steps.entries()) {
    if (kind !== 'deploy') requireNamed(step);
    const problem = isObject(step) ? stepProblem(kind, step, index) : `${pythonText(step)} is not of type 'object'`;
    if (problem !== null) throw badRequest(`Invalid ${kind}_steps: ${problem}`);
  }
}

function requireNamed(step: unknown): void {
  const absent = ['interface', 'step'].find((member) => !isObject(step) || !(member in step));
  if (absent !== undefined) throw serverError(`'${absent}'`);
}

function stepProblem(kind: StepKind, step: JsonObject, index: number): string | null {
  const required = kind === 'deploy' ? ['args', 'interface', 'priority', 'step'] : [];
  const absent = required.find((member) => !(member in step));
  if (absent !== undefined) return `'${absent}' is a required property`;
  const unknown = Object.keys(step).filter((member) => !members[kind].includes(member));
  if (unknown.length > 0) return unexpectedMembers(unknown);
  if (!(interfaces as unknown[]).includes(step['interface'])) {
    return wrongInterface(step['interface'], index);
  }
  if (typeof step['step'] !== 'string') return `${pythonText(step['step'])} is not of type 'string'`;
  if ('args' in step && !isObject(step['args'])) return `${pythonText(step['args'])} is not of type 'object'`;
  return null;
}

function wrongInterface(value: Json | undefined, index: number): string {
  const shown = pythonText(value);
  const listed = interfaces.map((name) => `'${name}'`);
  return (
    `${shown} is not one of ${pythonText(interfaces)}\n\n` +
    "Failed validating 'enum' in schema['items']['properties']['interface']:\n" +
    `    {'description': 'driver interface',\n     'enum': [${listed.join(',\n              ')}]}\n\n` +
    `On instance[${index}]['interface']:\n    ${shown}`
  );
}
