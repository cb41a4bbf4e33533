/** Reads the protobuf bodies that kubectl sends for built-in kinds; answers are JSON, which it reads as well. */
import type { Dict } from '../object.js';
import { badRequest } from './status-error.js';
import { MESSAGES, UNKNOWN, type FieldType, type Message } from './protobuf-messages.js';

const MAGIC = Buffer.from('k8s\0');

class Reader {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  get done(): boolean {
    return this.#at >= this.bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.#at];
      if (byte === undefined) break;
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw badRequest('the body is not valid protobuf');
  }

  take(length: number): Buffer {
    const end = this.#at + length;
    if (length < 0 || end > this.bytes.length) throw badRequest('the body is not valid protobuf');
    const part = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  /** The value of a field by its wire type: a number, or bytes. */
  value(wireType: number): bigint | Buffer {
    if (wireType === 0) return this.varint();
    if (wireType === 1) return this.take(8);
    if (wireType === 2) return this.take(Number(this.varint()));
    if (wireType === 5) return this.take(4);
    throw badRequest('the body is not valid protobuf');
  }
}

const INSTANT: Message = { 1: { name: 'seconds', type: 'int' }, 2: { name: 'nanos', type: 'int' } };

/** A zero time is how protobuf says null. */
function timeOf(bytes: Buffer, digits: 0 | 6): string | null {
  const { seconds = 0, nanos = 0 } = decode(bytes, INSTANT) as { seconds?: number; nanos?: number };
  if (seconds === 0 && nanos === 0) return null;
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  return digits === 0 ? `${whole}Z` : `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}

function entryOf(bytes: Buffer, type: 'string' | 'bytes'): Dict {
  const { key = '', value = '' } = decode(bytes, { 1: { name: 'key', type: 'string' }, 2: { name: 'value', type } });
  return { [key as string]: value };
}

type Decoder = (raw: bigint | Buffer) => unknown;
const bytesOf = (raw: bigint | Buffer) => (typeof raw === 'bigint' ? Buffer.alloc(0) : raw);

const SCALARS: Record<string, Decoder> = {
  string: (raw) => bytesOf(raw).toString('utf8'),
  bytes: (raw) => bytesOf(raw).toString('base64'),
  bool: (raw) => raw !== 0n,
  int: (raw) => Number(raw),
  time: (raw) => timeOf(bytesOf(raw), 0),
  microTime: (raw) => timeOf(bytesOf(raw), 6),
  stringMap: (raw) => entryOf(bytesOf(raw), 'string'),
  bytesMap: (raw) => entryOf(bytesOf(raw), 'bytes'),
};

function valueOf(raw: bigint | Buffer, type: FieldType): unknown {
  return typeof type === 'string' ? SCALARS[type]!(raw) : decode(bytesOf(raw), type);
}

function decode(bytes: Buffer, message: Message): Dict {
  const reader = new Reader(bytes);
  const result: Dict = {};
  while (!reader.done) {
    const tag = Number(reader.varint());
    const raw = reader.value(tag & 7);
    const field = message[tag >>> 3];
    if (!field) continue;
    const value = valueOf(raw, field.type);
    const before = result[field.name];
    if (field.repeated) result[field.name] = [...((before as unknown[] | undefined) ?? []), value];
    else if (field.type === 'stringMap' || field.type === 'bytesMap') {
      result[field.name] = { ...(before as Dict | undefined), ...(value as Dict) };
    } else if (value !== null) result[field.name] = value;
  }
  return result;
}

/** Empty texts mean "not given" in these messages, except inside maps. */
function withoutEmpty(value: Dict, message: Message): Dict {
  const kept: Dict = {};
  for (const field of Object.values(message) as Message[number][]) {
    const one = value[field.name];
    if (one === undefined || one === '') continue;
    const below = typeof field.type === 'object' && !field.repeated ? field.type : undefined;
    kept[field.name] = below ? withoutEmpty(one as Dict, below) : one;
  }
  return kept;
}

/** Decodes an enveloped object. Throws StatusError 400 for bytes or kinds that are not known. */
export function parseProtobuf(body: Buffer): Dict {
  if (!body.subarray(0, 4).equals(MAGIC)) throw badRequest('the body is not a Kubernetes protobuf envelope');
  const envelope = decode(body.subarray(4), UNKNOWN);
  const { apiVersion, kind } = envelope['typeMeta'] as { apiVersion?: string; kind?: string };
  const message = MESSAGES[kind ?? ''];
  if (!message) throw badRequest(`no protobuf message is known for kind "${kind ?? ''}"`);
  const raw = Buffer.from((envelope['raw'] as string | undefined) ?? '', 'base64');
  return { apiVersion, kind, ...withoutEmpty(decode(raw, message), message) };
}
