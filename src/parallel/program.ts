import type { CheckedAggregate, CheckedBucket, CheckedCondition, CheckedQuery } from '../core/plan.js';
import type { DataType } from '../core/type.js';
import { POOL_SIZE, POOLS } from './kernels/layout.js';
import { type KeySteps, keySteps } from './key-steps.js';
import { STATES, type StateKind } from './states.js';
import { integerKind, isFloat, type Storage, storageOf, widthOf, wordsOfKind } from './storage.js';

/** How the kernels take an input column, and what for. */
export interface ColumnProgram {
  readonly name: string;
  /** How its values lie; of a dictionary, its entries. */
  readonly storage: Storage;
  /** Of a dictionary, the kind and bytes of its codes. */
  readonly codes: { readonly kind: number; readonly width: number } | undefined;
  /** No row has a value. */
  readonly isNull: boolean;
  /** The values are known by codes in a text pool: its offset in a table. 0: they are not. */
  readonly pool: number;
  /** The column is a key. */
  readonly keyed: boolean;
  /** Buckets of the column are a key. */
  readonly bucketed: boolean;
  /** The column's values are compared for an extreme. */
  readonly extreme: boolean;
  /** The column's values are summed. */
  readonly summed: boolean;
  /** A condition looks at the column. */
  readonly tested: boolean;
  /** The column's values are looked at, not only its nulls. */
  readonly read: boolean;
}

export interface KeyProgram {
  readonly column: number;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** The key is a code in a text pool, which has no order of its own; 0 is null. */
  readonly text: boolean;
  /** The least and the greatest encoded value of the type (of text: code). */
  readonly least: bigint;
  readonly most: bigint;
  /** What is made of the column's values; absent: they are the key. */
  readonly bucket?: CheckedBucket;
  /** Where the encoded values are numbers of steps. */
  readonly steps?: KeySteps;
}

/** A state that the fold keeps for each group: bytes of a record from `lane` on, counted from the end of the key words. */
export interface StateProgram {
  readonly kind: StateKind;
  /** Index into `columns`. */
  readonly column: number;
  readonly lane: number;
  /** For float sums: which of the run's grids. */
  readonly grid: number;
  /** Index into `filters` of the condition on the rows that it takes; -1: all that `where` keeps. */
  readonly filter: number;
}

export interface OutputProgram {
  /** `every` and `some` of booleans are their least and greatest. */
  readonly function: 'count' | 'sum' | 'mean' | 'min' | 'max';
  readonly type: DataType;
  /** The value type of the column that is aggregated. */
  readonly input: DataType;
  /** Index into `states` of the counted rows on which the aggregate's condition is true; -1: all rows of the group. */
  readonly rows: number;
  /** Index into `states` of the counted nulls of the column, -1 for `count()`. */
  readonly nulls: number;
  /** Index into `states` of the state that is finished, -1 where counts are enough. */
  readonly state: number;
}

/** What the workers are told of a query: plain data. Lanes begin with the row count, at lane 0. */
export interface Program {
  readonly columns: readonly ColumnProgram[];
  readonly keys: readonly KeyProgram[];
  /** The types of the output's key columns. */
  readonly keyTypes: readonly DataType[];
  /** The conditions of the query, each once. */
  readonly filters: readonly CheckedCondition[];
  /** Whether the first of them is the query's `where`. */
  readonly where: boolean;
  readonly states: readonly StateProgram[];
  readonly outputs: readonly OutputProgram[];
  /** Bytes of all lanes. */
  readonly lanes: number;
  readonly grids: number;
  /** Bytes of a table's header. */
  readonly tableSize: number;
}

/** Compiles a checked query for the workers. Pure. */
export function compileProgram(query: CheckedQuery): Program {
  const states: StateProgram[] = [];
  let lanes = 8;
  let grids = 0;
  const filters: CheckedCondition[] = query.where === undefined ? [] : [query.where];
  const filterOf = (condition: CheckedCondition | undefined): number => {
    if (condition === undefined) return -1;
    filters.push(condition);
    return filters.length - 1;
  };
  const stateOf = (kind: StateKind, column: number, filter: number): number => {
    const known = states.findIndex(
      (state) => state.kind === kind && state.column === column && state.filter === filter,
    );
    if (known >= 0) return known;
    states.push({ kind, column, lane: lanes, grid: kind === 'sumFloat' ? grids++ : -1, filter });
    lanes += STATES[kind].bytes;
    return states.length - 1;
  };
  const isSum = ({ function: fn }: CheckedAggregate): boolean => fn === 'sum' || fn === 'mean';
  const isExtreme = (aggregate: CheckedAggregate): boolean => ['min', 'max'].includes(functionOf(aggregate));
  const tested = testedBy(query);
  let pools = 0;
  const columns = query.columns.map(({ name, type }, index): ColumnProgram => {
    const uses = query.aggregates.filter(({ column }) => column === index);
    const keys = query.keys.filter(({ column }) => column === index);
    const keyed = keys.some(({ bucket }) => bucket === undefined);
    const bucketed = keys.some(({ bucket }) => bucket !== undefined);
    const extreme = uses.some(isExtreme);
    const summed = uses.some(isSum);
    const storage = storageOf(type);
    const dictionary = type.kind === 'dictionary';
    const codes = dictionary ? integerKind(type.index.bits, type.index.signed) : undefined;
    // a code may stand for a null entry, so that the nulls of a dictionary are told by its entries
    const pooled = storage.shape === 'bytes' && (keyed || bucketed || extreme || (dictionary && !summed));
    return {
      name,
      storage,
      codes: codes === undefined ? undefined : { kind: codes, width: widthOf(codes) },
      isNull: type.kind === 'null',
      pool: pooled ? POOLS + POOL_SIZE * pools++ : 0,
      keyed,
      bucketed,
      extreme,
      summed,
      tested: tested.has(index),
      read: keyed || bucketed || extreme || summed || dictionary || tested.has(index),
    };
  });
  const outputs = query.aggregates.map((aggregate): OutputProgram => {
    const { column, type, input } = aggregate;
    const fn = functionOf(aggregate);
    const filter = filterOf(aggregate.where);
    const rows = filter < 0 ? -1 : stateOf('rows', -1, filter);
    const common = { function: fn, type, input, rows };
    if (column < 0) return { ...common, nulls: -1, state: -1 };
    const { codes, pool } = columns[column];
    const nulls = stateOf(codes !== undefined && pool !== 0 ? 'nullTexts' : 'nulls', column, filter);
    if (isSum(aggregate)) return { ...common, nulls, state: stateOf(sumState(input), column, filter) };
    if (fn !== 'min' && fn !== 'max') return { ...common, nulls, state: -1 };
    const text = columns[column].storage.shape === 'bytes';
    return {
      ...common,
      nulls,
      state: stateOf(text ? (fn === 'min' ? 'minText' : 'maxText') : fn, column, filter),
    };
  });
  const keys = query.keys.map((key): KeyProgram => {
    const { storage } = columns[key.column];
    const text = storage.shape === 'bytes';
    const { column, descending, nullsFirst, bucket, type } = key;
    const common = { column, descending, nullsFirst, text, ...(bucket !== undefined && { bucket }) };
    if (text) return { ...common, least: 0n, most: 0xffff_ffffn };
    const steps =
      bucket === undefined || isFloat(storage.kind) ? undefined : keySteps(bucket, type, storage.kind);
    if (steps !== undefined) return { ...common, least: 0n, most: steps.most, steps };
    const [least, most] = wordsOfKind(storage.kind);
    return { ...common, least, most };
  });
  const keyTypes = query.keys.map(({ type }) => type);
  return {
    columns,
    keys,
    keyTypes,
    filters,
    where: query.where !== undefined,
    states,
    outputs,
    lanes,
    grids,
    tableSize: POOLS + POOL_SIZE * pools,
  };
}

function functionOf({ function: fn }: CheckedAggregate): OutputProgram['function'] {
  switch (fn) {
    case 'count':
    case 'sum':
    case 'mean':
    case 'min':
    case 'max':
      return fn;
    case 'every':
      return 'min';
    case 'some':
      return 'max';
    default:
      throw new TypeError(`aggregate: got ${fn}, wanted one that the kernels know`);
  }
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

function sumState(type: DataType): StateKind {
  const storage = storageOf(type);
  if (type.kind === 'float') return 'sumFloat';
  if (storage.shape === 'bytes') return storage.width === 16 ? 'sumWords2' : 'sumWords4';
  if (storage.width < 8) return 'sumNarrow';
  return type.kind === 'int' && !type.signed ? 'sumUnsigned' : 'sumSigned';
}
