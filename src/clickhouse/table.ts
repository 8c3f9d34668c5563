import type { Schema } from 'apache-arrow';
import { inputError, queryError } from '../core/errors.js';
import { fieldsOf } from '../core/from-arrow.js';
import type { CheckedQuery } from '../core/plan.js';
import { type DataType, type Field, typeName, valueType } from '../core/type.js';
import { carrierOf } from './carrier.js';
import type { ClickHouseClient } from './client.js';
import { readType } from './column-type.js';
import { quoted, quotedTable, type TableName, tableNameOf } from './quoted.js';
import { operand, type Relation } from './relation.js';
import { Server } from './server.js';

/** A table that is there, with its columns as the query is to see them. */
export interface KnownTable {
  readonly fields: readonly Field[];
  relation(query: CheckedQuery): Relation;
}

/**
 * Asks a server for the columns of a table.
 * @param schema what the caller says that they are; default: what the types of the server are nearest to
 * @throws QueryError where there is no such table; InputError where a column is not what is said.
 */
export async function findTable(
  server: Server,
  name: TableName,
  rowNumber: string | undefined,
  schema: Schema | undefined,
  signal: AbortSignal,
): Promise<KnownTable> {
  const from = quotedTable(name);
  if (name.table === '' || name.database === '')
    throw queryError('input', from, 'the name of a table, or of a database and a table with a dot between');
  const text = await server.run(`DESCRIBE TABLE ${from} FORMAT JSONCompact`, signal);
  const { data } = JSON.parse(new TextDecoder().decode(text)) as {
    readonly data: readonly (readonly string[])[];
  };
  const columns = data.map(([column, type]) => ({ name: column, ...readType(type) }));
  const known = new Map(columns.map((column) => [column.name, column]));
  if (rowNumber !== undefined) requireRowNumber(rowNumber, known.get(rowNumber)?.type);
  const fields = schema === undefined ? columns.map(({ name, type }) => ({ name, type })) : fieldsOf(schema);
  const sqls = fields.map(({ name, type }) => {
    const place = `table ${from}, column ${JSON.stringify(name)}`;
    const column = known.get(name);
    if (column === undefined) throw inputError(place, 'none', `a column of type ${typeName(type)}`);
    if (!carries(column.type, type))
      throw inputError(place, column.said, `a column that carries ${typeName(type)}`);
    return column.sql(quoted(name), carrierOf(type));
  });
  return {
    fields,
    relation: (query) => ({
      from,
      operands: query.columns.map(({ type, index }) => operand(type, sqls[index])),
      rowNumber: rowNumber === undefined ? undefined : quoted(rowNumber),
      names: columns.map((column) => column.name),
    }),
  };
}

/** The columns of a table, as a query sees them. @throws QueryError where there is none. */
export async function findFields(
  client: ClickHouseClient,
  table: string,
  signal: AbortSignal,
): Promise<readonly Field[]> {
  const name = tableNameOf(table, undefined);
  return (await findTable(new Server(client), name, undefined, undefined, signal)).fields;
}

/** Whether values of a column can be taken for those of a type. Columns that are not read may be anything. */
function carries(column: DataType, type: DataType): boolean {
  const [from, to] = [valueType(column), valueType(type)];
  if (from.kind === 'other' || to.kind === 'other') return from.kind === to.kind;
  if (to.kind === 'null' || to.kind === 'list') return false;
  if (from.kind === 'decimal')
    return to.kind === 'decimal' && to.scale === from.scale && to.bits >= 2 && fitsIn(from, to);
  if (from.kind === 'timestamp')
    return to.kind === 'timestamp' ? to.unit === from.unit : to.kind === 'int' && to.bits === 64 && to.signed;
  if (from.kind === 'fixedBinary')
    return to.kind === 'fixedBinary' ? to.width === from.width : carrierOf(to) === 'String';
  if (from.kind === 'float') return to.kind === 'float' && to.bits === from.bits;
  if (from.kind === 'bool') return to.kind === 'bool' || (to.kind === 'int' && carrierOf(to) === 'UInt8');
  if (to.kind === 'bool' || to.kind === 'float' || to.kind === 'fixedBinary') return false;
  return carrierOf(from) === carrierOf(to);
}

function fitsIn(
  from: DataType & { readonly kind: 'decimal' },
  to: DataType & { readonly kind: 'decimal' },
): boolean {
  return to.precision >= from.precision && to.bits >= Math.min(from.bits, leastBits(from.precision));
}

function leastBits(precision: number): number {
  return precision <= 9 ? 32 : precision <= 18 ? 64 : precision <= 38 ? 128 : 256;
}

function requireRowNumber(name: string, type: DataType | undefined): void {
  if (type?.kind === 'int') return;
  const came =
    type === undefined
      ? `unknown column ${JSON.stringify(name)}`
      : `${JSON.stringify(name)} of type ${typeName(type)}`;
  throw queryError('option rowNumber', came, 'a column of whole numbers that ascend with the rows');
}
