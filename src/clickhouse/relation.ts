import { type DataType, valueType } from '../core/type.js';

/** A column, or what is made of one, in SQL. */
export interface Operand {
  /** Never a dictionary. */
  readonly type: DataType;
  /** An expression of the type's carrier; null where there is no value. */
  readonly sql: string;
}

/** What is selected from. */
export interface Relation {
  /** The table, quoted. */
  readonly from: string;
  /** The columns of the checked query, in its order. */
  readonly operands: readonly Operand[];
  /** Whole numbers that ascend with the rows; undefined where there are none. */
  readonly rowNumber: string | undefined;
  /** The names of all columns, which aliases must not have. */
  readonly names: readonly string[];
}

export function operand(type: DataType, sql: string): Operand {
  return { type: valueType(type), sql };
}

/** Whether there is a value: 0 or 1. */
export function present({ sql }: Operand): string {
  return `isNotNull(${sql})`;
}

/** The value where there is one; where there is none anything, which must not be looked at. */
export function valueIn({ sql }: Operand): string {
  return `assumeNotNull(${sql})`;
}

/** The value by which values are equal and ordered; NaN is one NaN, -0 is 0. Floats are doubles then. */
export function keyOf({ type, sql }: Operand): string {
  return type.kind === 'float' ? canonicalFloat(sql) : sql;
}

export function canonicalFloat(sql: string): string {
  return `if(isNaN(${sql}), nan, ${sql} + 0.)`;
}

export function allOf(...conditions: readonly (string | undefined)[]): string {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? '1' : given.join(' AND ');
}
