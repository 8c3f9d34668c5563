/**
 * (a + b) / n rounded once, or NaN where that is not decided. s + e = a + b exactly (Knuth's two-sum); q = s / n, and
 * r = s - q n is a double and found exactly by splitting (Dekker), so the true quotient is q + (r + e) / n. The
 * correction carries a relative error near 2^-52; only when it leads to within 2^-30 of the middle between two doubles
 * can the last rounding be in doubt.
 */
export function meanOf(a: f64, b: f64, n: i64): f64 {
  const s = a + b;
  const t = s - a;
  const e = a - (s - t) + (b - t);
  if (s == 0) return 0;
  const divisor = <f64>n;
  const q = s / divisor;
  const size = abs(q);
  if (!(size > 1e-250 && size < 1e250) || n > 0x4000000000000) return NaN;
  if (e == 0 && (n & (n - 1)) == 0) return q;
  if ((n & (n - 1)) == 0) return q; // fl(s) is the rounded sum, and a power of two divides it exactly
  const split = 134217729.0;
  let c = split * q;
  const qh = c - (c - q);
  const ql = q - qh;
  c = split * divisor;
  const nh = c - (c - divisor);
  const nl = divisor - nh;
  const p = q * divisor;
  const pe = ql * nl - (p - qh * nh - ql * nh - qh * nl);
  const d = (s - p - pe + e) / divisor;
  const mean = q + d;
  const rest = d - (mean - q);
  const ulp = reinterpret<f64>(reinterpret<u64>(abs(mean)) + 1) - abs(mean);
  if (abs(abs(rest) - ulp * 0.5) < ulp * 9.313225746154785e-10) return NaN;
  // below a power of two the neighbour is half as far
  if (
    (reinterpret<u64>(mean) & 0xfffffffffffff) == 0 &&
    abs(abs(rest) - ulp * 0.25) < ulp * 9.313225746154785e-10
  ) {
    return NaN;
  }
  return mean;
}
