/** What may happen to a host: edits by people, events of its surroundings, and passes with all kinds of answers. */
import fc from 'fast-check';
import type { AnswerKind } from '../support/actor-answers.js';
import { dataImages, firmwares } from './surroundings.js';
import { marks, type World } from './world.js';

export type Move =
  | { readonly kind: 'pass'; readonly answers: readonly AnswerKind[]; readonly times: number }
  | { readonly kind: 'spec'; readonly change: Readonly<Record<string, unknown>> }
  | { readonly kind: 'annotate'; readonly key: string; readonly value: string | undefined }
  | { readonly kind: 'slot'; readonly isFree: boolean }
  | { readonly kind: 'secret'; readonly version: string | undefined }
  | { readonly kind: 'power'; readonly isOn: boolean }
  | { readonly kind: 'firmware'; readonly what: string }
  | { readonly kind: 'dataImage'; readonly what: string }
  | { readonly kind: 'delete' };

const answer = fc.oneof(
  { weight: 12, arbitrary: fc.constant<AnswerKind>('complete') },
  { weight: 3, arbitrary: fc.constant<AnswerKind>('inProgress') },
  { weight: 3, arbitrary: fc.constant<AnswerKind>('failed') },
  { weight: 1, arbitrary: fc.constant<AnswerKind>('thrown') },
  { weight: 1, arbitrary: fc.constant<AnswerKind>('unreachable') },
);

const pass = fc.record<Move & { kind: 'pass' }>({
  kind: fc.constant('pass'),
  answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  times: fc.integer({ min: 1, max: 4 }),
});

const imageUrl = (name: string) => `http://images/${marks.spec}-${name}`;
const bmc = { address: 'redfish://192.0.2.10/redfish/v1/Systems/1', credentialsName: 'bmc' };
const change = fc.constantFrom<Record<string, unknown>>(
  { bmc },
  { image: { url: imageUrl('1') } },
  { image: { url: imageUrl('2'), checksum: 'abcd' } },
  { image: { url: imageUrl('2'), checksum: 'other' } },
  { image: undefined },
  { customDeploy: { method: 'install' } },
  { customDeploy: undefined },
  { online: true },
  { online: false },
  { externallyProvisioned: true },
  { externallyProvisioned: false },
  { inspectionMode: 'disabled' },
  { inspectionMode: 'agent' },
  { disablePowerOff: true },
  { disablePowerOff: false },
  { rootDeviceHints: { deviceName: '/dev/vdb' } },
  { raid: { hardwareRAIDVolumes: [{ level: '1' }] } },
  { raid: { softwareRAIDVolumes: [{ level: '1', rootVolume: true }] } },
  { raid: undefined },
);

const annotations: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'baremetalhost.metal3.io/detached': [
    ...['', '{"force":true}', '{"deleteAction":"delay"}', '{"deleteAction":"delay","force":true}'],
    ...['{"deleteAction":"delete"}', 'no json', undefined, undefined, undefined, undefined],
  ],
  'inspect.metal3.io': ['', 'disabled', undefined],
  'reboot.metal3.io': ['', '{"mode":"hard"}', '{"force":true}', 'no json', undefined],
  'reboot.metal3.io/client': ['', '{"mode":"hard","force":true}', undefined, undefined],
};
const annotate = fc
  .constantFrom(...Object.keys(annotations))
  .chain((key) => fc.constantFrom(...annotations[key]!).map((value): Move => ({ kind: 'annotate', key, value })));

export const moves = fc.array(
  fc.oneof(
    { weight: 14, arbitrary: pass },
    { weight: 5, arbitrary: change.map((fields): Move => ({ kind: 'spec', change: fields })) },
    { weight: 3, arbitrary: annotate },
    { weight: 1, arbitrary: fc.boolean().map((isFree): Move => ({ kind: 'slot', isFree })) },
    { weight: 1, arbitrary: fc.boolean().map((isOn): Move => ({ kind: 'power', isOn })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('1', '2', undefined).map((version): Move => ({ kind: 'secret', version })),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(...Object.keys(firmwares)).map((what): Move => ({ kind: 'firmware', what })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...Object.keys(dataImages), '').map((what): Move => ({ kind: 'dataImage', what })),
    },
    { weight: 1, arbitrary: fc.constant<Move>({ kind: 'delete' }) },
  ),
  { minLength: 5, maxLength: 60, size: 'max' },
);

/** Where walks begin; `undiscovered` is a new host without BMC details. */
export const starts = fc.constantFrom(
  ...['', '', '', 'undiscovered', 'available', 'provisioned', 'externally provisioned', 'deprovisioning'],
  ...['match profile', 'ready'],
);

/** Everything but a pass. */
export function make(world: World, move: Exclude<Move, { kind: 'pass' }>): void {
  switch (move.kind) {
    case 'spec':
      world.spec = { ...world.spec, ...move.change };
      break;
    case 'annotate':
      world.annotate(move.key, move.value);
      break;
    case 'slot':
      world.isSlotFree = move.isFree;
      break;
    case 'secret':
      world.haveSecret = move.version !== undefined;
      world.secretVersion = move.version ?? world.secretVersion;
      break;
    case 'power':
      world.isOn = move.isOn;
      break;
    case 'firmware':
      world.firmware = firmwares[move.what]!;
      break;
    case 'dataImage':
      world.dataImage = dataImages[move.what];
      break;
    case 'delete':
      world.isDeleted = true;
      break;
  }
}
