/** Rules for the annotations that steer a host. */
import {
  annotations,
  bareMetalHostStatusSchema,
  type BareMetalHost,
  errorTypes,
  hardwareDetailsSchema,
  inspectionDisabled,
  operationalStatuses,
  readStrictJSON,
} from '../../apis/index.js';
import { annotationField } from './annotation-field.js';
import { checkReboots } from './reboot-annotations.js';
import { type Findings, shown } from './verdict.js';

export function checkAnnotations(host: BareMetalHost, findings: Findings): void {
  const given = host.metadata.annotations ?? {};
  checkStatus(given[annotations.status] ?? '', findings);
  checkReboots(given, findings);
  checkInspect(given[annotations.inspect] ?? '', findings);
  checkHardware(host, given[annotations.hardwareDetails] ?? '', findings);
}

/** It becomes the status of the host, so it must be one that the host can have. */
function checkStatus(text: string, findings: Findings): void {
  if (text === '') return;
  const field = annotationField(annotations.status);
  const read = readStrictJSON(text, bareMetalHostStatusSchema);
  if ('problem' in read) return findings.refuse(field, `holds no status of a host: ${read.problem}`);
  const { operationalStatus, errorType } = lowerCased(read.value);
  checkListed(field, 'operationalStatus', operationalStatus, operationalStatuses, findings);
  checkListed(field, 'errorType', errorType, ['', ...errorTypes], findings);
}

function checkListed(field: string, name: string, value: unknown, known: readonly string[], findings: Findings): void {
  if (typeof value !== 'string' || known.includes(value)) return;
  const list = known.map((one) => JSON.stringify(one)).join(', ');
  findings.refuse(field, `${name} ${shown(value)} is none of ${list}`);
}

function lowerCased(value: unknown): { operationalStatus: unknown; errorType: unknown } {
  const entries = Object.entries(value ?? {}).map(([name, one]) => [name.toLowerCase(), one as unknown] as const);
  const found = new Map(entries);
  return { operationalStatus: found.get('operationalstatus'), errorType: found.get('errortype') };
}

function checkInspect(text: string, findings: Findings): void {
  if (text === '' || text === 'disabled') return;
  findings.refuse(
    annotationField(annotations.inspect),
    `${shown(text)} means nothing; "disabled" turns inspection off, an empty value asks for another one`,
  );
}

function checkHardware(host: BareMetalHost, text: string, findings: Findings): void {
  if (text === '') return;
  const field = annotationField(annotations.hardwareDetails);
  if (!inspectionDisabled(host)) {
    findings.refuse(field, 'is for hosts that are not inspected; set spec.inspectionMode to disabled');
  }
  const read = readStrictJSON(text, hardwareDetailsSchema);
  if ('problem' in read) findings.refuse(field, `holds no hardware details: ${read.problem}`);
}
