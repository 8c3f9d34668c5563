import { CompressionType, compressionRegistry } from 'apache-arrow';
import { decodeLz4 } from './lz4.js';

/** Something compressed with Zstandard was met. What was being read can be read from its beginning after `loadZstandard()`. */
export class ZstandardNeeded extends Error {}

compressionRegistry.set(CompressionType.LZ4_FRAME, {
  decode: (bytes) => decodeLz4(bytes, lengthOf(bytes)),
});
compressionRegistry.set(CompressionType.ZSTD, {
  decode() {
    throw new ZstandardNeeded();
  },
});

/** Teaches this thread's apache-arrow to decode Zstandard: 35 ms that only those wait for who need it. */
export async function loadZstandard(): Promise<void> {
  const { ZSTDDecoder } = await import('zstddec');
  const decoder = new ZSTDDecoder();
  await decoder.init();
  compressionRegistry.set(CompressionType.ZSTD, {
    decode(bytes) {
      const length = lengthOf(bytes);
      const decoded = decoder.decode(bytes, length);
      // What cannot be decoded comes back empty.
      if (decoded.length === length) return decoded;
      throw new RangeError(`a Zstandard frame of ${decoded.length} bytes that says ${length}`);
    },
  });
}

/** More than any buffer that apache-arrow can hold: a length that only damage says. */
const longest = 2 ** 31 - 1;
/** A Zstandard frame can say in four bytes that one byte is repeated 131,072 times, and no more than that; LZ4 less. */
const densest = 2 ** 17;

/** Before the bytes that a decoder is handed, in the same memory, stands the length of what comes out of them. */
function lengthOf(bytes: Uint8Array): number {
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset - 8, 8).getBigInt64(0, true));
  if (length >= 0 && length <= Math.min(longest, bytes.length * densest)) return length;
  throw new RangeError(`a buffer that says ${length} bytes come out of ${bytes.length}`);
}
