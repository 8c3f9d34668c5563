/**
 * Thrift's compact protocol, as far as Parquet's footer uses it: values as they lie, so that a footer can be read,
 * changed in a few places and written again without knowing every field.
 * Source: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
export type Value = boolean | number | Uint8Array | List | Struct;

export interface List {
  readonly element: number;
  readonly items: readonly Value[];
}

/** Fields by their id, in the order of the bytes. */
export type Struct = Map<number, Member>;

export interface Member {
  readonly type: number;
  readonly value: Value;
}

export const Type = { i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const;

/** Deeper nesting than any footer has: damage must not exhaust the stack. */
const maxDepth = 32;

/** Reads the struct at the head of `bytes`. @throws RangeError where the bytes are no such struct. */
export function readStruct(bytes: Uint8Array): Struct {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;

  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('an integer beyond 2^53');
    return value;
  };
  const zigzag = (): number => {
    const n = varint();
    return n % 2 === 0 ? n / 2 : -(n + 1) / 2;
  };
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - at) throw new RangeError('a length beyond the end');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const list = (depth: number): List => {
    const head = view.getUint8(at++);
    const size = head >> 4 === 15 ? varint() : head >> 4;
    if (size > bytes.length - at) throw new RangeError('a length beyond the end');
    const element = head & 15;
    const items = Array.from({ length: size }, () =>
      element === 1 || element === 2 ? view.getUint8(at++) === 1 : value(element, depth + 1),
    );
    return { element, items };
  };
  const struct = (depth: number): Struct => {
    if (depth > maxDepth) throw new RangeError('nesting that has no end');
    const members: Struct = new Map();
    for (let id = 0; ; ) {
      const head = view.getUint8(at++);
      if (head === 0) return members;
      id = head >> 4 === 0 ? zigzag() : id + (head >> 4);
      members.set(id, { type: head & 15, value: value(head & 15, depth + 1) });
    }
  };
  const value = (type: number, depth: number): Value => {
    switch (type) {
      case 1:
        return true;
      case 2:
        return false;
      case 3:
        return view.getInt8(at++);
      case 4:
      case 5:
      case 6:
        return zigzag();
      case 7:
        return take(8);
      case 8:
        return take(varint());
      case 9:
        return list(depth);
      case 12:
        return struct(depth);
      default:
        throw new RangeError(`an unknown type ${type}`);
    }
  };
  return struct(0);
}

/** Writes a struct as {@link readStruct} reads it. */
export function writeStruct(root: Struct): Uint8Array {
  const out: number[] = [];
  const varint = (n: number): void => {
    for (; n >= 128; n = Math.floor(n / 128)) out.push((n % 128) + 128);
    out.push(n);
  };
  const zigzag = (n: number): void => varint(n >= 0 ? n * 2 : -n * 2 - 1);
  const struct = (members: Struct): void => {
    let last = 0;
    for (const [id, { type, value: member }] of members) {
      const tag = typeof member === 'boolean' ? (member ? 1 : 2) : type;
      if (id > last && id - last < 16) out.push(((id - last) << 4) | tag);
      else {
        out.push(tag);
        zigzag(id);
      }
      last = id;
      if (typeof member !== 'boolean') value(type, member);
    }
    out.push(0);
  };
  const value = (type: number, it: Value): void => {
    if (typeof it === 'boolean') out.push(it ? 1 : 2);
    else if (typeof it === 'number') {
      if (type === 3) out.push(it & 255);
      else zigzag(it);
    } else if (it instanceof Uint8Array) {
      if (type === Type.binary) varint(it.length);
      for (const byte of it) out.push(byte);
    } else if (it instanceof Map) struct(it);
    else {
      const size = it.items.length;
      out.push((Math.min(size, 15) << 4) | it.element);
      if (size >= 15) varint(size);
      for (const item of it.items) value(it.element, item);
    }
  };
  struct(root);
  return Uint8Array.from(out);
}

export function memberAt(struct: Struct, id: number): Member {
  const member = struct.get(id);
  if (member === undefined) throw new RangeError(`field ${id} is missing`);
  return member;
}

export function intAt(struct: Struct, id: number): number {
  const { value } = memberAt(struct, id);
  if (typeof value !== 'number') throw new RangeError(`field ${id} is no integer`);
  return value;
}

export function listAt(struct: Struct, id: number): List {
  return asList(memberAt(struct, id).value);
}

export function structsAt(struct: Struct, id: number): Struct[] {
  return listAt(struct, id).items.map(asStruct);
}

export function textAt(struct: Struct, id: number): string {
  return asText(memberAt(struct, id).value);
}

export function asList(value: Value): List {
  if (typeof value !== 'object' || !('items' in value)) throw new RangeError('a list is missing');
  return value;
}

export function asStruct(value: Value): Struct {
  if (!(value instanceof Map)) throw new RangeError('a struct is missing');
  return value;
}

export function asText(value: Value): string {
  if (!(value instanceof Uint8Array)) throw new RangeError('a text is missing');
  return new TextDecoder().decode(value);
}
