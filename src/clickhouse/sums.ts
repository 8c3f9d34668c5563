import { meanOf, roundQuotient, roundScaled } from '../core/exact.js';
import {
  type Moments,
  momentUnit,
  roundCorrelation,
  roundCovariance,
  roundDeviation,
  roundVariance,
} from '../core/moments.js';
import { unitOf } from '../core/quantile.js';
import { selectFloatSum, selectProducts, selectSum } from './exact-sum.js';
import { countAt, type Finish, type Selected } from './parts.js';
import { counted, type Question, selectCount } from './question.js';
import { allOf, type Operand, valueIn } from './relation.js';

/** `sum` and `mean`. */
export function selectSums(question: Question, x: Operand): Finish {
  if (x.type.kind !== 'float') return selectIntegers(question, x);
  return question.floatSums === 'exact' ? selectFloats(question, x) : selectFastFloats(question, x);
}

function selectIntegers(question: Question, x: Operand): Finish {
  const { parts, aggregate } = question;
  const condition = counted(question, x);
  const count = selectCount(parts, condition);
  const sum = selectSum(x, condition, parts);
  const unit = unitOf(x.type);
  return (group) => {
    const n = countAt(group, count);
    if (n === 0) return null;
    const total = sum(group);
    return aggregate.function === 'sum' ? total : roundQuotient(total * unit.n, BigInt(n) * unit.d);
  };
}

function selectFloats(question: Question, x: Operand): Finish {
  const { parts, aggregate } = question;
  const condition = counted(question, x);
  const value = valueIn(x);
  const count = selectCount(parts, condition);
  const specials = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((special) => {
    const test = Number.isNaN(special) ? `isNaN(${value})` : `${value} = ${special > 0 ? 'inf' : '-inf'}`;
    return [special, selectCount(parts, allOf(condition, test))] as const;
  });
  const sum = selectFloatSum(x, allOf(condition, `isFinite(${value})`), parts);
  return (group) => {
    const n = countAt(group, count);
    if (n === 0) return null;
    // NaN, or both infinities, is NaN; else the infinity.
    const met = specials.filter(([, part]) => countAt(group, part) > 0);
    if (met.length > 0) return met.reduce((total, [special]) => total + special, 0);
    const total = sum(group);
    return aggregate.function === 'sum' ? roundScaled(total.n, total.exponent) : meanOf(total, BigInt(n));
  };
}

/** As the server adds doubles, which is not the same on every run. */
function selectFastFloats(question: Question, x: Operand): Finish {
  const { parts, aggregate } = question;
  const condition = counted(question, x);
  const count = selectCount(parts, condition);
  const sum = parts.add(`sumIf(toFloat64(${valueIn(x)}), ${condition})`);
  return (group) => {
    const n = countAt(group, count);
    if (n === 0) return null;
    const total = Number(group.value(sum)) + 0;
    return aggregate.function === 'sum' ? total : total / n;
  };
}

/** `variance` and `stddev`. */
export function selectSpread(question: Question, x: Operand): Finish {
  const { aggregate, parts } = question;
  const condition = counted(question, x);
  const count = selectCount(parts, condition);
  const finite = allOf(condition, ...finiteOf(x));
  const finiteCount = selectCount(parts, finite);
  const moments = selectMoments(question, x, finite, finiteCount);
  const { population = false } = aggregate;
  const round = aggregate.function === 'variance' ? roundVariance : roundDeviation;
  return (group) => {
    const n = countAt(group, count);
    if (n < (population ? 1 : 2)) return null;
    return countAt(group, finiteCount) < n ? Number.NaN : round(moments(group), population);
  };
}

/** `covariance` and `correlation`. */
export function selectPairSpread(question: Question, x: Operand, y: Operand): Finish {
  const { aggregate, parts } = question;
  const condition = counted(question, x, y);
  const count = selectCount(parts, condition);
  const finite = allOf(condition, ...finiteOf(x), ...finiteOf(y));
  const finiteCount = selectCount(parts, finite);
  const [ofX, ofY] = [x, y].map((one) => selectMoments(question, one, finite, finiteCount));
  const products = selectProducts(x, y, finite, parts);
  return (group) => {
    const n = countAt(group, count);
    if (n < 2) return null;
    if (countAt(group, finiteCount) < n) return Number.NaN;
    const pairs = { x: ofX(group), y: ofY(group), products: products(group) };
    return aggregate.function === 'covariance' ? roundCovariance(pairs) : (roundCorrelation(pairs) ?? null);
  };
}

function selectMoments(
  { parts }: Question,
  x: Operand,
  condition: string,
  count: number,
): (group: Selected) => Moments {
  const sum = selectSum(x, condition, parts);
  const squares = selectProducts(x, x, condition, parts);
  const unit = momentUnit(x.type);
  return (group) => ({
    count: BigInt(countAt(group, count)),
    sum: sum(group),
    squares: squares(group),
    unit,
  });
}

function finiteOf(x: Operand): string[] {
  return x.type.kind === 'float' ? [`isFinite(${valueIn(x)})`] : [];
}
