/**
 * Decodes one LZ4 frame of a known length, as Arrow's buffers hold them. Checksums are not looked at: Arrow's writers leave
 * them out, and the lengths and places inside are all checked.
 * Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md and lz4_Block_format.md
 * @throws RangeError where the bytes are no such frame, or one of another length.
 */
export function decodeLz4(frame: Uint8Array, length: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < 7 || view.getUint32(0, true) !== magic) throw new RangeError('no LZ4 frame');
  const flags = frame[4];
  if (flags >> 6 !== 1) throw new RangeError('an LZ4 frame of an unknown version');
  if ((flags & flag.dictionary) !== 0) throw new RangeError('an LZ4 frame that needs a dictionary');
  const target = new Uint8Array(length);
  let at = 7 + ((flags & flag.contentSize) === 0 ? 0 : 8);
  let filled = 0;
  for (;;) {
    if (at + 4 > frame.length) throw new RangeError('an LZ4 frame that breaks off');
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) break;
    const end = at + (size & 0x7fff_ffff);
    if (end > frame.length) throw new RangeError('an LZ4 block that breaks off');
    if (size >>> 31 === 1) {
      // A block that is not compressed; one that does not fit is a RangeError of the array's own.
      target.set(frame.subarray(at, end), filled);
      filled += end - at;
    } else {
      filled = decodeBlock(frame, at, end, target, filled);
    }
    at = end + ((flags & flag.blockChecksum) === 0 ? 0 : 4);
  }
  if (filled !== length) throw new RangeError(`an LZ4 frame of ${filled} bytes that says ${length}`);
  return target;
}

const magic = 0x184d_2204;
const flag = { dictionary: 1, contentSize: 8, blockChecksum: 16 } as const;

/** Pieces longer than this are copied by a call, which costs as much as a loop over so many. */
const worthACall = 32;

/**
 * Decodes the block from `at` to `end`. Matches may begin in earlier blocks of the frame, which stand before `filled`.
 * @returns how far the target is filled.
 */
function decodeBlock(
  source: Uint8Array,
  at: number,
  end: number,
  target: Uint8Array,
  filled: number,
): number {
  let from = at;
  let to = filled;
  while (from < end) {
    const token = source[from++];
    let literals = token >> 4;
    if (literals === 15) {
      let more: number;
      do {
        if (from >= end) throw new RangeError('an LZ4 length that breaks off');
        more = source[from++];
        literals += more;
      } while (more === 255);
    }
    if (from + literals > end || to + literals > target.length) {
      throw new RangeError('LZ4 literals out of range');
    }
    if (literals > worthACall) {
      target.set(source.subarray(from, from + literals), to);
      from += literals;
      to += literals;
    } else {
      for (const stop = from + literals; from < stop; ) target[to++] = source[from++];
    }
    if (from === end) return to;
    if (from + 2 > end) throw new RangeError('an LZ4 offset that breaks off');
    const offset = source[from] | (source[from + 1] << 8);
    from += 2;
    let matched = token & 15;
    if (matched === 15) {
      let more: number;
      do {
        if (from >= end) throw new RangeError('an LZ4 length that breaks off');
        more = source[from++];
        matched += more;
      } while (more === 255);
    }
    matched += 4;
    if (offset === 0 || offset > to || to + matched > target.length) {
      throw new RangeError('an LZ4 match out of range');
    }
    if (matched > worthACall && offset >= matched) {
      target.copyWithin(to, to - offset, to - offset + matched);
      to += matched;
    } else {
      // Byte by byte, for a match may go on into what it has just written.
      for (let match = to - offset, stop = to + matched; to < stop; ) target[to++] = target[match++];
    }
  }
  throw new RangeError('an LZ4 block that ends with a match');
}
