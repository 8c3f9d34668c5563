/**
 * Seeded unsigned 32-bit integers: sfc32 of Chris Doty-Humphrey's PractRand, whose first rounds only mix the seed in.
 */
export function random32(seed) {
  let [a, b, c, counter] = [0, seed | 0, 0, 1];
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

/** Doubles in [0, 1), multiples of 2^-32, made of `next`. */
export function unit(next) {
  return next() / 2 ** 32;
}
