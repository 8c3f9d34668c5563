const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let ones = 0;
  for (let rest = byte; rest > 0; rest >>= 1) ones += rest & 1;
  return ones;
});

/** Bits that are 1 among `length` bits from bit `start` on, least significant bit first. */
export function countBits(bytes: Uint8Array, start: number, length: number): number {
  if (length === 0) return 0;
  const end = start + length;
  const first = start >> 3;
  const last = (end - 1) >> 3;
  const head = 0xff << (start & 7);
  const tail = 0xff >> (7 - ((end - 1) & 7));
  if (first === last) return ONES[bytes[first] & head & tail];
  let ones = ONES[bytes[first] & head & 0xff] + ONES[bytes[last] & tail];
  for (let byte = first + 1; byte < last; byte++) ones += ONES[bytes[byte]];
  return ones;
}
