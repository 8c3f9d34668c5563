/**
 * Seconds that a case takes: to start its contestants, and for each million rows, to make and load them, warm up and run.
 * Measured on two cores that other work was on, with nine turns.
 */
const SECONDS = {
  shapes: { start: 8, million: 10 },
  more: { start: 8, million: 10 },
  small: { start: 8, million: 0 },
  questions: { start: 4, million: 4 },
  aggregates: { start: 4, million: 4 },
};

/** Seconds that cases take, roughly. */
export function estimate(cases, rows) {
  return cases.reduce(
    (sum, { group }) => sum + SECONDS[group].start + (SECONDS[group].million * rows) / 1e6,
    0,
  );
}

/** Seconds as a person says them. */
export function inWords(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} seconds`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} minutes` : `${(seconds / 3600).toFixed(1)} hours`;
}
