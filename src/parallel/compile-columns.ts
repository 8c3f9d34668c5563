import type { CheckedAggregate, CheckedCondition, CheckedQuery } from '../core/plan.js';
import type { DataType } from '../core/type.js';
import { POOL_SIZE, POOLS } from './kernels/layout.js';
import type { ColumnProgram } from './program.js';
import { integerKind, isInteger, storageOf, widthOf } from './storage.js';

/** What an aggregate does with the values of a column. Ranged ones are compared as they lie. */
export type Use = 'counted' | 'compared' | 'kept' | 'ranged' | 'summed';

/** What an aggregate does with its columns: its own, and the second. */
export function usesOf({ function: fn, input, second }: CheckedAggregate): [Use, Use] {
  switch (fn) {
    case 'count':
      return ['counted', 'counted'];
    case 'sum':
    case 'mean':
      return ['summed', 'counted'];
    case 'variance':
    case 'stddev':
      return [isWide(input) ? 'kept' : 'summed', 'counted'];
    case 'covariance':
    case 'correlation': {
      const use = isWide(input) || isWide(second?.input ?? input) ? 'kept' : 'summed';
      return [use, use];
    }
    case 'argMin':
    case 'argMax':
      return ['kept', 'compared'];
    case 'first':
    case 'last':
    case 'list':
    case 'join':
      return ['kept', 'counted'];
    case 'min':
    case 'max':
      return [isInteger(storageOf(input)) ? 'ranged' : 'compared', 'counted'];
    default:
      return ['compared', 'counted'];
  }
}

/** Whether a number has more bits than a word. */
export function isWide(type: DataType): boolean {
  return storageOf(type).shape === 'bytes';
}

/** The columns as the kernels take them, and how many text pools they need. Pure. */
export function compileColumns(query: CheckedQuery): { columns: ColumnProgram[]; pools: number } {
  const tested = testedBy(query);
  let pools = 0;
  const columns = query.columns.map(({ name, type }, index): ColumnProgram => {
    const uses = query.aggregates.flatMap((aggregate): Use[] => {
      const [own, other] = usesOf(aggregate);
      return [
        ...(aggregate.column === index ? [own] : []),
        ...(aggregate.second?.column === index ? [other] : []),
      ];
    });
    const keys = query.keys.filter(({ column }) => column === index);
    const keyed = keys.some(({ bucket }) => bucket === undefined);
    const bucketed = keys.some(({ bucket }) => bucket !== undefined);
    const compared = uses.includes('compared');
    const kept = uses.includes('kept');
    const summed = uses.includes('summed');
    const ranged = uses.includes('ranged');
    const storage = storageOf(type);
    const folded = keys.length > 0 || uses.length > 0;
    const dictionary = type.kind === 'dictionary';
    const codes = dictionary ? integerKind(type.index.bits, type.index.signed) : undefined;
    // a code may stand for a null entry, so that the nulls of a dictionary are told by its entries
    const pooled =
      storage.shape === 'bytes' &&
      (keyed || bucketed || compared || kept || (folded && dictionary && !summed));
    return {
      name,
      storage,
      codes: codes === undefined ? undefined : { kind: codes, width: widthOf(codes) },
      isNull: type.kind === 'null',
      pool: pooled ? POOLS + POOL_SIZE * pools++ : 0,
      keyed,
      bucketed,
      compared,
      kept,
      summed,
      tested: tested.has(index),
      folded,
      read: keyed || bucketed || compared || kept || ranged || summed || dictionary || tested.has(index),
    };
  });
  return { columns, pools };
}

/** The columns that a query's conditions look at. */
function testedBy({ where, aggregates }: CheckedQuery): Set<number> {
  const columns = new Set<number>();
  const visit = (condition: CheckedCondition): void => {
    if ('column' in condition) columns.add(condition.column);
    else if ('conditions' in condition) condition.conditions.forEach(visit);
    else visit(condition.condition);
  };
  for (const condition of [where, ...aggregates.map((aggregate) => aggregate.where)]) {
    if (condition !== undefined) visit(condition);
  }
  return columns;
}
