import {
  argMax,
  correlation,
  count,
  countDistinct,
  covariance,
  first,
  join,
  last,
  list,
  max,
  mean,
  median,
  min,
  mode,
  quantile,
  stddev,
  sum,
  top,
  variance,
} from 'rangefold';

const AGGREGATES = {
  ...{ argMax, correlation, count, countDistinct, covariance, first, join, last, list, max, mean },
  ...{ median, min, mode, quantile, stddev, sum, top, variance },
};

/** What is asked (`{ as, of, columns, n, p, separator }`) as a query of ours. */
export function queryOfAsks({ by, asks }) {
  return { by, aggregates: Object.fromEntries(asks.map((ask) => [ask.as, aggregateOf(ask)])) };
}

function aggregateOf({ of, columns, n, p, separator }) {
  const option = n ?? p ?? separator;
  return AGGREGATES[of](...columns, ...(option === undefined ? [] : [option]));
}
