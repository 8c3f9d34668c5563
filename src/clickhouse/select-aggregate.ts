import type { Cell } from '../core/build.js';
import {
  selectDistinct,
  selectEnds,
  selectJoin,
  selectList,
  selectMode,
  selectQuantile,
} from './gathered.js';
import type { Finish } from './parts.js';
import { countAt } from './parts.js';
import { selectArgExtreme, selectExtreme, selectInRowOrder } from './picks.js';
import { counted, type Question, selectCount } from './question.js';
import { selectPairSpread, selectSpread, selectSums } from './sums.js';

/** Selects what an aggregate needs, and says what is made of it. */
export function selectAggregate(question: Question): Finish {
  const { aggregate, parts, x, y } = question;
  if (x === undefined) {
    const part = selectCount(parts, counted(question));
    return (group) => BigInt(countAt(group, part));
  }
  const second = y ?? x;
  switch (aggregate.function) {
    case 'count': {
      const part = selectCount(parts, counted(question, x));
      return (group) => BigInt(countAt(group, part));
    }
    case 'sum':
    case 'mean':
      return selectSums(question, x);
    case 'variance':
    case 'stddev':
      return selectSpread(question, x);
    case 'covariance':
    case 'correlation':
      return selectPairSpread(question, x, second);
    case 'min':
    case 'every':
      return selectExtreme(question, x, 'min');
    case 'max':
    case 'some':
      return selectExtreme(question, x, 'max');
    case 'argMin':
      return selectArgExtreme(question, x, second, 'min');
    case 'argMax':
      return selectArgExtreme(question, x, second, 'max');
    case 'first':
    case 'last':
      return selectInRowOrder(question, x, aggregate.function);
    case 'countDistinct':
      return selectDistinct(question, x);
    case 'quantile':
      return selectQuantile(question, x);
    case 'mode':
      return selectMode(question, x);
    case 'top':
    case 'bottom':
      return selectEnds(question, x, aggregate.function);
    case 'list':
      return selectList(question, x);
    case 'join':
      return selectJoin(question, x);
  }
}

/** What an aggregate gives of no rows. */
export function ofNoRows(name: Question['aggregate']['function']): Cell {
  if (name === 'count' || name === 'countDistinct') return 0n;
  return name === 'list' ? [] : null;
}

/** Aggregates that ask for the order of rows. */
export const ROW_ORDER: readonly Question['aggregate']['function'][] = [
  'first',
  'last',
  'list',
  'join',
  'argMin',
  'argMax',
];
