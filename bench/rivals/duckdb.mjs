import { DuckDBDataChunk, DuckDBInstance, DuckDBVector, version } from '@duckdb/node-api';
import { Type } from 'apache-arrow';

const TYPES = { [Type.Float]: 'DOUBLE', [Type.Utf8]: 'VARCHAR', [Type.Dictionary]: 'VARCHAR' };

const same = (name) => (column) => `${name}(${column})`;
const AGGREGATES = {
  count: (column = '*') => `count(${column})`,
  ...Object.fromEntries(['sum', 'min', 'max', 'mode', 'median'].map((name) => [name, same(name)])),
  mean: same('avg'),
  variance: same('var_samp'),
  stddev: same('stddev_samp'),
  covariance: (a, b) => `covar_samp(${a}, ${b})`,
  correlation: (a, b) => `corr(${a}, ${b})`,
  argMax: (value, by) => `arg_max(${value}, ${by})`,
  countDistinct: (column) => `count(DISTINCT ${column})`,
};

/** Those whose answer depends on the order of rows, so that it is ours; `rowid` is that order. */
const IN_ORDER = {
  first: ([column]) => `arg_min(${column}, rowid)`,
  last: ([column]) => `arg_max(${column}, rowid)`,
  list: ([column]) => `list(${column} ORDER BY rowid)`,
  join: ([column], separator) => `string_agg(${column}, '${separator}' ORDER BY rowid)`,
};
/** The same in whatever order rows come. */
const IN_ANY_ORDER = {
  first: ([column]) => `first(${column})`,
  last: ([column]) => `last(${column})`,
  list: ([column]) => `list(${column})`,
  join: ([column], separator) => `string_agg(${column}, '${separator}')`,
};

/**
 * DuckDB in memory, with as many threads. What a rival is and does is told in README.md.
 * @param ordered answers that depend on the order of rows are those of the order in which rows came.
 */
export async function open(threads, ordered = true) {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  let select = '';
  return {
    name: `DuckDB ${version()}${ordered ? '' : ', in any order'}`,
    timed: 'CREATE OR REPLACE TEMP TABLE AS SELECT ... ORDER BY',
    async load(table, { by, asks }) {
      const columns = table.schema.fields.map(({ name, type }) => `${name} ${typeOf(type)}`);
      await connection.run(`CREATE OR REPLACE TABLE t (${columns.join(', ')})`);
      await append(connection, table);
      const coded = table.schema.fields.filter(({ type }) => type.typeId === Type.Dictionary);
      for (const { name } of coded) {
        await connection.run(
          `CREATE TYPE codes_${name} AS ENUM (SELECT DISTINCT ${name} FROM t ORDER BY ${name})`,
        );
        await connection.run(`ALTER TABLE t ALTER ${name} SET DATA TYPE codes_${name}`);
      }
      const keys = by.join(', ');
      const answers = asks.map((ask) => `${expressionOf(ask, ordered)} AS "${ask.as}"`).join(', ');
      select = `SELECT ${keys}, ${answers} FROM t GROUP BY ${keys} ORDER BY ${keys}`;
    },
    async run() {
      await connection.run(`CREATE OR REPLACE TEMP TABLE r AS ${select}`);
    },
    async fetch() {
      return (await connection.runAndReadAll(select)).getColumns();
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function expressionOf({ of, columns, n, p, separator }, ordered) {
  if (of === 'top') return `max(${columns[0]}, ${n})`;
  if (of === 'quantile') return `quantile_cont(${columns[0]}, ${p})`;
  const byRow = (ordered ? IN_ORDER : IN_ANY_ORDER)[of];
  return byRow === undefined ? AGGREGATES[of](...columns) : byRow(columns, separator);
}

function typeOf({ typeId, bitWidth }) {
  return typeId === Type.Int ? (bitWidth === 64 ? 'BIGINT' : 'INTEGER') : TYPES[typeId];
}

/** A chunk at a time, so that a column of 10,000,000 texts never stands in the heap at once. */
async function append(connection, table) {
  const appender = await connection.createAppender('t');
  const columns = table.schema.fields.map((_, i) => table.getChildAt(i));
  const types = columns.map((_, i) => appender.columnType(i));
  const step = DuckDBVector.standardSize();
  for (let start = 0; start < table.numRows; start += step) {
    const end = Math.min(start + step, table.numRows);
    const chunk = DuckDBDataChunk.create(types);
    chunk.setColumns(columns.map((column) => valuesOf(column, start, end)));
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

function valuesOf(column, start, end) {
  const [{ values, nullCount }] = column.data;
  const isPlain = nullCount === 0 && [Type.Int, Type.Float].includes(column.type.typeId);
  if (isPlain) return values.subarray(start, end);
  return Array.from({ length: end - start }, (_, i) => column.get(start + i));
}
