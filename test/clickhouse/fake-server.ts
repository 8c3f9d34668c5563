import { Readable } from 'node:stream';
import { type RecordBatch, RecordBatchStreamWriter, type Table } from 'apache-arrow';
import type { ClickHouseClient } from 'rangefold/clickhouse';

/** What was asked of a server. */
export type Asked = Parameters<ClickHouseClient['exec']>[0];

/**
 * A client of no server: a table of columns by name and type, and what every SELECT of it gives, whatever it asks. So what an engine
 * sends, and what it makes of an answer, is tested apart from what ClickHouse does.
 */
export function fakeServer(
  columns: Readonly<Record<string, string>>,
  answers: (asked: Asked) => readonly RecordBatch[] | Table,
): { readonly client: ClickHouseClient; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const client: ClickHouseClient = {
    async exec(parameters) {
      asked.push(parameters);
      if (parameters.query.startsWith('DESCRIBE'))
        return { stream: Readable.from([Buffer.from(JSON.stringify({ data: Object.entries(columns) }))]) };
      const given = answers(parameters);
      const batches = Array.isArray(given) ? given : (given as Table).batches;
      const rows = batches.reduce((sum, batch) => sum + batch.numRows, 0);
      const bytes = await RecordBatchStreamWriter.writeAll(batches).toUint8Array();
      return {
        stream: Readable.from([bytes], { objectMode: false }),
        summary: { read_rows: '100', result_rows: String(rows) },
      };
    },
  };
  return { client, asked };
}
