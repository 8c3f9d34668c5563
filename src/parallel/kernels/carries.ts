// Sums of integers in limbs of 32 bits, each in a word of 64: a row is added to every limb by itself and carries into none,
// which takes half the time of a sum that is carried out (one thread, in cache, a row's two sums and products: 6.4 ns
// against 12.1). A limb grows by less than 2^33 a row; before it has taken LIMB_ROWS rows it is settled, that is, brought back
// to 32 bits. What lies below the lowest limb and above the highest is added to seldom and stands apart, in `rest`, so that a
// row touches few cache lines.
//
// A sum has 2 limbs of steps (see moments.ts), its rest 32 bits of a step and a signed word of 2^64 steps. A sum of products has
// 4 limbs of squared steps, its rest 64 bits of one and a signed word of 2^128.

const LIMB: u64 = 0xffffffff;

/** Brings the limbs of a sum back to 32 bits. */
export function settleSum(limbs: usize, rest: usize): void {
  const fraction = load<u64>(rest);
  const a = load<i64>(limbs) + <i64>(fraction >> 32);
  const b = load<i64>(limbs, 8) + (a >> 32);
  store<u64>(rest, fraction & LIMB);
  store<u64>(limbs, a & LIMB);
  store<u64>(limbs, b & LIMB, 8);
  store<i64>(rest, load<i64>(rest, 8) + (b >> 32), 8);
}

/** Brings the limbs of a sum of products back to 32 bits. */
export function settleProducts(limbs: usize, rest: usize): void {
  let carry: i64 = 0;
  for (let limb: usize = 0; limb < 32; limb += 8) {
    const total = load<i64>(limbs + limb) + carry;
    store<u64>(limbs + limb, total & LIMB);
    carry = total >> 32;
  }
  store<i64>(rest, load<i64>(rest, 8) + carry, 8);
}

export function mergeSum(a: usize, aRest: usize, b: usize, bRest: usize): void {
  v128.store(a, i64x2.add(v128.load(a), v128.load(b)));
  v128.store(aRest, i64x2.add(v128.load(aRest), v128.load(bRest)));
  settleSum(a, aRest);
}

export function mergeProducts(a: usize, aRest: usize, b: usize, bRest: usize): void {
  v128.store(a, i64x2.add(v128.load(a), v128.load(b)));
  v128.store(a, i64x2.add(v128.load(a, 16), v128.load(b, 16)), 16);
  const fraction = load<u64>(aRest);
  const total = fraction + load<u64>(bRest);
  store<u64>(aRest, total);
  store<i64>(a, load<i64>(a) + <i64>(total < fraction));
  store<i64>(aRest, load<i64>(aRest, 8) + load<i64>(bRest, 8), 8);
  settleProducts(a, aRest);
}

/** Writes a sum as a number of 128 bits, in units; false where it has more. */
export function sumWords(limbs: usize, rest: usize, out: usize): bool {
  settleSum(limbs, rest);
  const top = load<i64>(rest, 8);
  store<u64>(out, load<u64>(rest) | (load<u64>(limbs) << 32));
  store<u64>(out, load<u64>(limbs, 8) | ((<u64>top) << 32), 8);
  return top == <i64>(<i32>top);
}

/** Writes a sum of products as a number of 256 bits, in squared units. */
export function productWords(limbs: usize, rest: usize, out: usize): void {
  settleProducts(limbs, rest);
  v128.store(out, v128.load(rest));
  store<i64>(out, load<i64>(rest, 8), 24);
  store<u64>(out, load<u64>(limbs) | (load<u64>(limbs, 8) << 32), 8);
  store<u64>(out, load<u64>(limbs, 16) | (load<u64>(limbs, 24) << 32), 16);
}
