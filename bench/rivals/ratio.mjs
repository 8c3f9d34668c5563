import { summaryOf } from '../turns.mjs';

/** Whose times count for the bar: the others are shown, but no engine is asked to be faster than the slowest. */
const ENGINES = ['duckdb', 'duckdb-unordered', 'polars'];
/** The ratio that no case of the bar may be below. */
export const LEAST = 1.5;
/** The same for single aggregates: at most twice DuckDB's time. */
export const LEAST_OF_AGGREGATES = 0.5;

/** The times of one contestant over ours, turn by turn, for what slows one turn down slows both. */
export function ratio(theirs, ours) {
  return summaryOf(theirs.runs.map((milliseconds, turn) => milliseconds / ours.runs[turn])).median;
}

/** The faster rival's time over ours: `{ rival, ratio }`; undefined where no rival of the bar has times. */
export function fasterRival({ contestants: [ours, ...others] }) {
  const ratios = others
    .filter(({ rival, failure }) => ENGINES.includes(rival) && failure === undefined)
    .map((one) => ({ rival: one.name, ratio: ratio(one.milliseconds, ours.milliseconds) }));
  return ratios.sort((a, b) => a.ratio - b.ratio)[0];
}

/**
 * What the ratios of several cases come to: geometric mean, the least and whose it is, and how many are below `bar`.
 * Undefined where none has one.
 */
export function summaryOfRatios(results, bar) {
  const ratios = results.flatMap((one) => {
    const faster = fasterRival(one);
    return faster === undefined ? [] : [{ name: one.name, ratio: faster.ratio }];
  });
  if (ratios.length === 0) return undefined;
  const logarithms = ratios.reduce((sum, one) => sum + Math.log(one.ratio), 0);
  return {
    cases: ratios.length,
    mean: Math.exp(logarithms / ratios.length),
    least: ratios.reduce((a, b) => (b.ratio < a.ratio ? b : a)),
    bar,
    below: ratios.filter((one) => one.ratio < bar).map(({ name }) => name),
  };
}

/**
 * The two summaries that the bars are about: the shapes with the questions, and the single aggregates. Small inputs are
 * in neither: there the bar is the reference.
 */
export function summaries(results) {
  const of = (...groups) => results.filter(({ group }) => groups.includes(group));
  return {
    engines: summaryOfRatios(of('shapes', 'more', 'questions'), LEAST),
    aggregates: summaryOfRatios(of('aggregates'), LEAST_OF_AGGREGATES),
  };
}

/** A summary in a sentence. */
export function told(what, { cases, mean, least, bar, below }) {
  const number = (value) => value.toFixed(2);
  const which = below.length === 0 ? '' : ` (${below.join(', ')})`;
  return `${what}: faster rival / rangefold over ${cases} cases: geometric mean ${number(mean)}, least ${number(least.ratio)} (${least.name}), ${below.length} below ${bar}${which}`;
}
