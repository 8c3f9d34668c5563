import { DuckDBDataChunk, DuckDBInstance, DuckDBVector, version } from '@duckdb/node-api';
import { Type } from 'apache-arrow';

const TYPES = { [Type.Float]: 'DOUBLE', [Type.Utf8]: 'VARCHAR' };

/** DuckDB in memory, with as many threads. What a rival is and does is told in README.md. */
export async function open(threads) {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(threads) });
  const connection = await instance.connect();
  let select = '';
  return {
    name: `DuckDB ${version()}`,
    timed: 'CREATE OR REPLACE TEMP TABLE AS SELECT ... ORDER BY',
    async load(table, keys) {
      const columns = table.schema.fields.map(({ name, type }) => `${name} ${typeOf(type)}`);
      await connection.run(`CREATE OR REPLACE TABLE t (${columns.join(', ')})`);
      await append(connection, table);
      const by = keys.join(', ');
      select = `SELECT ${by}, count(*) AS count, sum(value) AS sum FROM t GROUP BY ${by} ORDER BY ${by}`;
    },
    async run() {
      await connection.run(`CREATE OR REPLACE TEMP TABLE r AS ${select}`);
    },
    async fetch() {
      return (await connection.runAndReadAll(select)).getColumns();
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
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
  if (column.type.typeId !== Type.Utf8) return column.data[0].values.subarray(start, end);
  return Array.from({ length: end - start }, (_, i) => column.get(start + i));
}
