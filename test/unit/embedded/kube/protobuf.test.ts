import { describe, expect, it } from '@jest/globals';
import { parseProtobuf } from '../../../../src/embedded/kube/wire/protobuf.js';

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const bytes = (field: number, content: number[] | string): number[] => {
  const raw = typeof content === 'string' ? [...Buffer.from(content)] : content;
  return [...varint((field << 3) | 2), ...varint(raw.length), ...raw];
};
const number = (field: number, value: number): number[] => [...varint(field << 3), ...varint(value)];
const envelope = (apiVersion: string, kind: string, raw: number[]) =>
  Buffer.from([...Buffer.from('k8s\0'), ...bytes(1, [...bytes(1, apiVersion), ...bytes(2, kind)]), ...bytes(2, raw)]);
const entry = (key: string, value: string) => [...bytes(1, key), ...bytes(2, value)];

describe('protobuf bodies', () => {
  it('of a secret, with maps, bytes and a zero time', () => {
    const metadata = [
      ...bytes(1, 's'),
      ...bytes(3, ''),
      ...bytes(8, []),
      ...bytes(11, entry('k', 'v')),
      ...bytes(11, entry('l', '')),
    ];
    const raw = [...bytes(1, metadata), ...bytes(2, entry('a', '\u0001b')), ...bytes(3, 'Opaque'), ...number(5, 1)];
    expect(parseProtobuf(envelope('v1', 'Secret', raw))).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', labels: { k: 'v', l: '' } },
      data: { a: 'AWI=' },
      type: 'Opaque',
      immutable: true,
    });
  });

  it('of a lease, with numbers and microseconds', () => {
    const renewTime = [...number(1, 1_767_225_600), ...number(2, 123_456_000)];
    const spec = [...bytes(1, 'me'), ...number(2, 300), ...bytes(4, renewTime)];
    expect(parseProtobuf(envelope('coordination.k8s.io/v1', 'Lease', bytes(2, spec)))).toMatchObject({
      spec: { holderIdentity: 'me', leaseDurationSeconds: 300, renewTime: '2026-01-01T00:00:00.123456Z' },
    });
  });

  it('of delete options, with a repeated text and a field that nobody knows', () => {
    const raw = [...number(1, 0), ...bytes(4, 'Orphan'), ...bytes(5, 'All'), ...bytes(99, 'new')];
    expect(parseProtobuf(envelope('v1', 'DeleteOptions', raw))).toMatchObject({
      gracePeriodSeconds: 0,
      propagationPolicy: 'Orphan',
      dryRun: ['All'],
    });
  });

  it.each([
    ['no envelope', Buffer.from('{}')],
    ['an unknown kind', envelope('v1', 'Pod', [])],
    ['a length beyond the end', Buffer.from([...Buffer.from('k8s\0'), 0x0a, 0x7f])],
    ['a varint without an end', Buffer.from([...Buffer.from('k8s\0'), 0x80])],
  ])('that are %s are refused', (_, body) => {
    expect(() => parseProtobuf(body)).toThrow(expect.objectContaining({ code: 400 }));
  });
});
