const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let ones = 0;
  for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
  return ones;
});

// Shifts are of 32 bits, and a batch may have more rows than those can count, so that bytes are found by division.

/** The byte that bit number `bit` is in. */
export function byteOf(bit: number): number {
  return Math.floor(bit / 8);
}

/** Bytes that `count` bits take. */
export function bytesFor(count: number): number {
  return Math.ceil(count / 8);
}

/** Whether bit number `bit` is 1, least significant bit first. */
export function isSet(bytes: Uint8Array, bit: number): boolean {
  return ((bytes[byteOf(bit)] >> (bit & 7)) & 1) === 1;
}

export function setBit(bytes: Uint8Array, bit: number): void {
  bytes[byteOf(bit)] |= 1 << (bit & 7);
}

/** Bits that are 1 among `length` bits from bit `start` on, least significant bit first. */
export function countBits(bytes: Uint8Array, start: number, length: number): number {
  if (length === 0) return 0;
  const end = start + length;
  const first = byteOf(start);
  const last = byteOf(end - 1);
  const head = 0xff << (start & 7);
  const tail = 0xff >> (7 - ((end - 1) & 7));
  if (first === last) return ONES[bytes[first] & head & tail];
  let ones = ONES[bytes[first] & head & 0xff] + ONES[bytes[last] & tail];
  for (let byte = first + 1; byte < last; byte++) ones += ONES[bytes[byte]];
  return ones;
}
