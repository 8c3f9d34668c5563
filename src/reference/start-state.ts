import type { CheckedAggregate } from '../core/plan.js';
import { compareKeys } from '../core/semantics.js';
import { Gathered, GatheredWithNulls } from './gathered.js';
import { countDistinct, joinTexts, modeOf, quantileOf, topOf } from './holistic.js';
import { ArgExtreme, Extreme, InRowOrder } from './picks.js';
import { PairSpread, Spread } from './spread.js';
import type { State } from './state.js';
import { Count, FloatSum, IntegerSum, quotient } from './sums.js';

/** A state that has seen nothing. */
export function startState(aggregate: CheckedAggregate): State {
  const { column, input, population = false, ignoreNulls = false } = aggregate;
  const second = aggregate.second?.input ?? input;
  switch (aggregate.function) {
    case 'count':
      return new Count(column < 0);
    case 'sum':
      return input.kind === 'float' ? new FloatSum((sum) => sum.sum()) : new IntegerSum((sum) => sum);
    case 'mean':
      return input.kind === 'float'
        ? new FloatSum((sum, count) => sum.mean(count))
        : new IntegerSum((sum, count) => quotient(sum, count, input.kind === 'decimal' ? input.scale : 0));
    case 'variance':
    case 'stddev':
      return new Spread(input, aggregate.function, population);
    case 'covariance':
    case 'correlation':
      return new PairSpread(input, second, aggregate.function);
    case 'min':
      return new Extreme((value, best) => compareKeys(input, value, best) < 0);
    case 'max':
      return new Extreme((value, best) => compareKeys(input, value, best) > 0);
    case 'argMin':
      return new ArgExtreme((by, best) => compareKeys(second, by, best) < 0);
    case 'argMax':
      return new ArgExtreme((by, best) => compareKeys(second, by, best) > 0);
    case 'first':
      return new InRowOrder('first', ignoreNulls);
    case 'last':
      return new InRowOrder('last', ignoreNulls);
    case 'countDistinct':
      return new Gathered(countDistinct);
    case 'quantile':
      return new Gathered((values) => quantileOf(aggregate, values));
    case 'mode':
      return new Gathered((values) => modeOf(input, values));
    case 'top':
      return new Gathered((values) => topOf(aggregate, values, (a, b) => compareKeys(input, b, a)));
    case 'bottom':
      return new Gathered((values) => topOf(aggregate, values, (a, b) => compareKeys(input, a, b)));
    case 'list':
      return new GatheredWithNulls();
    case 'join':
      return new Gathered((values) => joinTexts(aggregate, values));
    case 'every':
      return new Gathered((values) => (values.length === 0 ? null : values.every((value) => value === true)));
    case 'some':
      return new Gathered((values) => (values.length === 0 ? null : values.some((value) => value === true)));
  }
}
