/**
 * Seconds that a case takes with nine runs: to start its contestants, and for each million rows, to make and load them,
 * warm up and run. A guess from runs of 1,000,000 rows, where slow rivals are not yet cut short; `left` corrects it.
 */
const SECONDS = {
  shapes: { start: 10, million: 12 },
  more: { start: 10, million: 12 },
  small: { start: 6, million: 0 },
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

/** Seconds that the others take when those that are done took so many, by the pace of those. */
export function left(done, others, rows, seconds) {
  return (estimate(others, rows) * seconds) / estimate(done, rows);
}

/** Seconds as a person says them. */
export function inWords(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} seconds`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} minutes` : `${(seconds / 3600).toFixed(1)} hours`;
}
