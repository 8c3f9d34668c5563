// A pair is an unevaluated sum of two doubles, |low| at most half a unit in the last place of high: about 106 bits
// (Dekker 1971; Knuth's two-sum). Results stand in `high` and `low`. Factors are below 2^900 in size, so nothing overflows.

export let high: f64 = 0;
export let low: f64 = 0;

export function setPair(a: f64, b: f64): void {
  high = a + b;
  low = b - (high - a);
}

const SPLIT: f64 = 134217729.0;

/** The rounding error of the product p = fl(a b), exactly. */
function productError(a: f64, b: f64, p: f64): f64 {
  let c = SPLIT * a;
  const aHigh = c - (c - a);
  const aLow = a - aHigh;
  c = SPLIT * b;
  const bHigh = c - (c - b);
  const bLow = b - bHigh;
  return aLow * bLow - (p - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

/** (aHigh + aLow) * (bHigh + bLow), to a relative error near 2^-102. */
export function multiplyPairs(aHigh: f64, aLow: f64, bHigh: f64, bLow: f64): void {
  const p = aHigh * bHigh;
  const e = productError(aHigh, bHigh, p) + (aHigh * bLow + aLow * bHigh);
  setPair(p, e);
}

/** (aHigh + aLow) / (bHigh + bLow), to a relative error near 2^-101. */
export function dividePairs(aHigh: f64, aLow: f64, bHigh: f64, bLow: f64): void {
  const q = aHigh / bHigh;
  multiplyPairs(bHigh, bLow, q, 0);
  // aHigh and the product agree in nearly all bits, so that their difference is exact
  let rest = aHigh - high + (aLow - low);
  const second = rest / bHigh;
  const first = q;
  multiplyPairs(bHigh, bLow, second, 0);
  rest = rest - high - low;
  setPair(first, second);
  setPair(high, low + rest / bHigh);
}

/** The square root of a pair above 0, to a relative error near 2^-101. */
export function rootPair(aHigh: f64, aLow: f64): void {
  const root = sqrt(aHigh);
  const square = root * root;
  const rest = aHigh - square - productError(root, root, square) + aLow;
  // the square of the correction is left out: it is below 2^-106 of the root
  setPair(root, rest / (root + root));
}

/** The pair rounded to a double; NaN where an error of 2^-90 could lead to another one. */
export function roundPair(): f64 {
  const doubt = abs(high) * 8.077935669463161e-28; // 2^-90
  const up = high + (low + doubt);
  return up == high + (low - doubt) ? up : NaN;
}
