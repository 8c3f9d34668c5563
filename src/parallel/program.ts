import type { CheckedAggregate, CheckedQuery } from '../core/plan.js';
import { type DataType, typeName, valueType } from '../core/type.js';
import {
  KIND_BIT,
  KIND_F32,
  KIND_F64,
  KIND_I8,
  KIND_I16,
  KIND_I32,
  KIND_I64,
  KIND_U8,
  KIND_U16,
  KIND_U32,
  KIND_U64,
  POOL_SIZE,
  POOLS,
} from './kernels/layout.js';
import { STATES, type StateKind } from './states.js';

/** How the kernels take an input column: as numbers of a kind, or as text. */
export interface ColumnProgram {
  readonly name: string;
  /** Kind of the values (of a dictionary: of its codes); irrelevant for plain text. */
  readonly kind: number;
  readonly text: boolean;
  readonly dictionary: boolean;
  /** Bytes of a value, or of a text's offset; 0 for bits. */
  readonly width: number;
  /** Offset of the text pool in a table; 0 where the column is no text. */
  readonly pool: number;
  /** The column is a key. */
  readonly keyed: boolean;
  /** The column's values are compared for an extreme. */
  readonly extreme: boolean;
  /** The column's values are summed. */
  readonly summed: boolean;
  /** The column's values are looked at, not only its nulls. */
  readonly read: boolean;
}

export interface KeyProgram {
  readonly column: number;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  readonly text: boolean;
  /** Encoded values lie in 0 .. 2^bits - 1 for these kinds, shifted by `least`. */
  readonly least: bigint;
  readonly most: bigint;
}

/** A state that the fold keeps for each group: bytes of a record from `lane` on, counted from the end of the key words. */
export interface StateProgram {
  readonly kind: StateKind;
  /** Index into `columns`. */
  readonly column: number;
  readonly lane: number;
  /** For float sums: which of the run's grids. */
  readonly grid: number;
}

export interface OutputProgram {
  readonly function: CheckedAggregate['function'];
  readonly name: string;
  readonly column: number;
  readonly type: DataType;
  /** Index into `states` of the counted nulls of the column, -1 for `count()`. */
  readonly nulls: number;
  /** Index into `states` of the state that is finished, -1 where counts are enough. */
  readonly state: number;
}

/** What the workers are told of a query: plain data. Lanes begin with the row count, at lane 0. */
export interface Program {
  readonly columns: readonly ColumnProgram[];
  readonly keys: readonly KeyProgram[];
  readonly states: readonly StateProgram[];
  readonly outputs: readonly OutputProgram[];
  /** Bytes of all lanes. */
  readonly lanes: number;
  readonly grids: number;
  readonly pools: number;
  /** Bytes of a table's header. */
  readonly tableSize: number;
}

const WIDTHS = new Map([
  [KIND_I8, 1],
  [KIND_I16, 2],
  [KIND_I32, 4],
  [KIND_I64, 8],
  [KIND_U8, 1],
  [KIND_U16, 2],
  [KIND_U32, 4],
  [KIND_U64, 8],
  [KIND_F32, 4],
  [KIND_F64, 8],
  [KIND_BIT, 0],
]);

/** The kind of a type's values as they lie in memory. */
export function kindOf(type: DataType): number {
  switch (type.kind) {
    case 'bool':
      return KIND_BIT;
    case 'int':
      return integerKind(type.bits, type.signed);
    case 'float':
      return type.bits === 32 ? KIND_F32 : KIND_F64;
    case 'date':
      return type.unit === 'day' ? KIND_I32 : KIND_I64;
    case 'timestamp':
      return KIND_I64;
    case 'dictionary':
      return integerKind(type.index.bits, type.index.signed);
    default:
      throw new TypeError(`type: got ${typeName(type)}, wanted one that the kernels hold`);
  }
}

function integerKind(bits: number, signed: boolean): number {
  const power = Math.log2(bits) - 3;
  return signed ? KIND_I8 + power : KIND_U8 + power;
}

export function widthOf(kind: number): number {
  return WIDTHS.get(kind) ?? 0;
}

/** Compiles a checked query for the workers. Pure. */
export function compileProgram(query: CheckedQuery): Program {
  const states: StateProgram[] = [];
  let lanes = 8;
  let grids = 0;
  const stateOf = (kind: StateKind, column: number): number => {
    const known = states.findIndex((state) => state.kind === kind && state.column === column);
    if (known >= 0) return known;
    states.push({ kind, column, lane: lanes, grid: kind === 'sumFloat' ? grids++ : -1 });
    lanes += STATES[kind].bytes;
    return states.length - 1;
  };
  const keyed = new Set(query.keys.map((key) => key.column));
  const extreme = new Set<number>();
  const coded = new Set<number>();
  const summed = new Set<number>();
  const outputs = query.aggregates.map((aggregate): OutputProgram => {
    const { name, column, type, function: fn } = aggregate;
    // a code may stand for a null entry, so that the nulls of a dictionary are told by its entries
    const dictionary = column >= 0 && query.columns[column].type.kind === 'dictionary';
    if (dictionary) coded.add(column);
    const nulls = column < 0 ? -1 : stateOf(dictionary ? 'nullTexts' : 'nulls', column);
    let state = -1;
    if (fn === 'sum' || fn === 'mean') {
      summed.add(column);
      state = stateOf(sumState(aggregate.input), column);
    } else if (fn === 'min' || fn === 'max') {
      extreme.add(column);
      const text = aggregate.input.kind === 'utf8';
      state = stateOf(fn === 'min' ? (text ? 'minText' : 'min') : text ? 'maxText' : 'max', column);
    }
    return { function: fn, name, column, type, nulls, state };
  });
  let pools = 0;
  const columns = query.columns.map(({ name, type }, index): ColumnProgram => {
    const compared = keyed.has(index) || extreme.has(index) || coded.has(index);
    const text = valueType(type).kind === 'utf8' && compared;
    const dictionary = type.kind === 'dictionary';
    const kind = type.kind === 'utf8' ? KIND_U8 : kindOf(type);
    return {
      name,
      kind,
      text,
      dictionary,
      width: type.kind === 'utf8' ? (type.form === 'large' ? 8 : 4) : widthOf(kind),
      pool: text ? POOLS + POOL_SIZE * pools++ : 0,
      keyed: keyed.has(index),
      extreme: extreme.has(index),
      summed: summed.has(index),
      read: compared || summed.has(index),
    };
  });
  const keys = query.keys.map((key): KeyProgram => {
    const { text, kind } = columns[key.column];
    const [least, most] = text ? [0n, 0xffff_ffffn] : wordsOfKind(kind);
    return { column: key.column, descending: key.descending, nullsFirst: key.nullsFirst, text, least, most };
  });
  return { columns, keys, states, outputs, lanes, grids, pools, tableSize: POOLS + POOL_SIZE * pools };
}

function sumState(type: DataType): StateKind {
  if (type.kind === 'float') return 'sumFloat';
  if (type.kind === 'int' && type.bits === 64) return type.signed ? 'sumSigned' : 'sumUnsigned';
  return 'sumNarrow';
}

/** The least and the greatest encoded word of a kind. */
function wordsOfKind(kind: number): [bigint, bigint] {
  const middle = 1n << 63n;
  if (kind === KIND_BIT) return [0n, 1n];
  if (kind <= KIND_I64) {
    const half = 1n << BigInt(8 * widthOf(kind) - 1);
    return [middle - half, middle + half - 1n];
  }
  if (kind <= KIND_U64) return [0n, (1n << BigInt(8 * widthOf(kind))) - 1n];
  return [0n, (1n << 64n) - 1n];
}

/** The encoded word that decodes to 0, which stands under a null. */
export function zeroWord(kind: number): bigint {
  return kind <= KIND_I64 || kind === KIND_F32 || kind === KIND_F64 ? 1n << 63n : 0n;
}
