import { createRequire } from 'node:module';
import {
  Field,
  Int32,
  Int64,
  RecordBatch,
  RecordBatchFileReader,
  RecordBatchReader,
  RecordBatchStreamWriter,
  Schema,
  Table,
  tableFromArrays,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { Input } from '../../dist/core/aggregator.js';
import { InputError, QueryError } from '../../dist/core/errors.js';
import { type OpenedInput, openInput } from '../../dist/core/input.js';
import { valueReader } from '../../dist/core/read-values.js';
import type { Source } from '../../dist/core/source.js';

const ints = (...values: number[]): RecordBatch =>
  new RecordBatch({ a: vectorFromArray(values, new Int32()).data[0] });

async function rowsOf(opened: OpenedInput, columns = [0]): Promise<unknown[][]> {
  const batches: unknown[][] = [];
  for await (const {
    rows,
    columns: [column],
  } of opened.batches(columns)) {
    const read = valueReader(column);
    batches.push(Array.from({ length: rows }, (_, row) => read(row)));
  }
  return batches;
}

const given = (input: unknown): Input => input as Input;

async function* asynchronous<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield item;
}

describe('openInput', () => {
  const bytes = tableToIPC(new Table([ints(1, 2), ints(3)]), 'stream');
  const file = tableToIPC(new Table([ints(1, 2), ints(3)]), 'file');
  const forms: [name: string, make: () => Input | Promise<Input>, rows: number | undefined][] = [
    ['a table', () => new Table([ints(1, 2), ints(3)]), 3],
    ['an array of batches', () => [ints(1, 2), ints(3)], 3],
    ['a set of batches', () => new Set([ints(1, 2), ints(3)]), undefined],
    ['an async generator', () => asynchronous([ints(1, 2), ints(3)]), undefined],
    ['a reader of a stream', () => RecordBatchReader.from(bytes), undefined],
    ['an opened reader', () => RecordBatchReader.from(bytes).open(), undefined],
    ['a reader of a file', () => RecordBatchFileReader.from(file) as unknown as Input, undefined],
    ['an async reader', async () => given(await RecordBatchReader.from(asynchronous([bytes]))), undefined],
  ];

  it.each(forms)('reads %s', async (_, make, rows) => {
    const opened = await openInput(await make());
    expect(opened.fields).toEqual([{ name: 'a', type: { kind: 'int', bits: 32, signed: true } }]);
    expect(opened.rows).toBe(rows);
    expect(opened.source).toBeUndefined();
    expect(await rowsOf(opened)).toEqual([[1n, 2n], [3n]]);
  });

  it('reads one record batch', async () => {
    const opened = await openInput(ints(4, 5));
    expect(opened.rows).toBe(2);
    expect(await rowsOf(opened)).toEqual([[4n, 5n]]);
  });

  it('reads tables and batches of another copy of apache-arrow', async () => {
    const other = createRequire(import.meta.url)('apache-arrow') as typeof import('apache-arrow');
    const table = other.tableFromArrays({ a: Int32Array.of(7, 8) });
    expect(await rowsOf(await openInput(given(table)))).toEqual([[7n, 8n]]);
    expect(await rowsOf(await openInput(given(table.batches)))).toEqual([[7n, 8n]]);
  });

  it('takes the schema of a table without batches', async () => {
    const schema = new Schema([new Field('a', new Int32())]);
    const opened = await openInput(new Table(schema, []));
    expect(opened.fields.map(({ name }) => name)).toEqual(['a']);
    expect(opened.rows).toBe(0);
    expect((await rowsOf(opened)).flat()).toEqual([]);
  });

  it.each([undefined, null, 7, 'flights.parquet', {}, () => {}, new Uint8Array(4), Promise.resolve()])(
    'refuses %s',
    async (input) => {
      await expect(openInput(given(input))).rejects.toThrow(QueryError);
      await expect(openInput(given(input))).rejects.toThrow(/^input: got .*, wanted a Table, a RecordBatch/);
    },
  );

  it('refuses an iterable of something else, and returns its iterator', async () => {
    let returned = false;
    const items = {
      *[Symbol.iterator]() {
        try {
          yield tableFromArrays({ a: [1] });
        } finally {
          returned = true;
        }
      },
    };
    await expect(openInput(given(items))).rejects.toThrow(QueryError);
    expect(returned).toBe(true);
    await expect(openInput(given([1, 2]))).rejects.toThrow(/input: got an iterable of 1/);
  });

  it('refuses an iterable without batches unless it is told the schema', async () => {
    await expect(openInput([])).rejects.toThrow(
      /input: got no record batch, wanted one at least, or options.schema/,
    );
    await expect(openInput([])).rejects.toThrow(QueryError);
    const schema = new Schema([new Field('t', new Utf8())]);
    const opened = await openInput([], { schema });
    expect(opened.fields).toEqual([{ name: 't', type: { kind: 'utf8', form: 'plain' } }]);
    expect(await rowsOf(opened)).toEqual([]);
    await expect(openInput([], { schema: 'a' as unknown as Schema })).rejects.toThrow(QueryError);
    await expect(openInput([], { sginal: 1 } as object)).rejects.toThrow(
      'option "sginal": got an unknown option, wanted signal, schema, onProgress',
    );
    await expect(openInput(given(Promise.resolve(ints(1))))).rejects.toThrow(
      'got a promise, which wants an await',
    );
    await expect(openInput(given({ table: new Table([ints(1)]) }))).rejects.toThrow(
      'got an object with a table; give',
    );
  });

  it('names the batch and the column that differ', async () => {
    const wide = new RecordBatch({ a: vectorFromArray([1n], new Int64()).data[0] });
    const other = new RecordBatch({ b: vectorFromArray([1], new Int32()).data[0] });
    const [data] = vectorFromArray([1], new Int32()).data;
    const more = new RecordBatch({ a: data, b: data });
    const fail = async (...batches: RecordBatch[]): Promise<unknown> => rowsOf(await openInput(batches));
    await expect(fail(ints(1), ints(2), wide)).rejects.toThrow(
      /^batch 2, column "a": got type Int64, wanted Int32$/,
    );
    await expect(fail(ints(1), wide)).rejects.toThrow(InputError);
    await expect(fail(ints(1), other)).rejects.toThrow(/^batch 1, column "a": got a column "b" in its place/);
    await expect(fail(ints(1), more)).rejects.toThrow(/^batch 1, column "b": got one more column/);
    await expect(fail(more, ints(1))).rejects.toThrow(/^batch 1, column "b": got none/);
    await expect(fail(ints(1), given(5) as unknown as RecordBatch)).rejects.toThrow(/^batch 1: got 5/);
    const schema = new Schema([new Field('a', new Int64(), true)]);
    await expect(openInput([ints(1)], { schema }).then((x) => rowsOf(x))).rejects.toThrow(
      /^batch 0, column "a"/,
    );
  });

  it('returns the iterator when it is closed, left early or failed, once', async () => {
    let returns = 0;
    const make = (): Input => {
      let i = 0;
      return {
        [Symbol.iterator]: () => ({
          next: () => ({ done: false as const, value: ints(i++) }),
          return: () => {
            returns += 1;
            return { done: true as const, value: undefined };
          },
        }),
      };
    };
    const unread = await openInput(make());
    await unread.close();
    await unread.close();
    expect(returns).toBe(1);
    for await (const _ of (await openInput(make())).batches([0])) break;
    expect(returns).toBe(2);
  });

  it('does not return an iterator that has ended', async () => {
    let returns = 0;
    const iterator = {
      next: async () => ({ done: true as const, value: undefined }),
      return: async () => {
        returns += 1;
        return { done: true as const, value: undefined };
      },
    };
    const schema = new Schema([new Field('a', new Int32())]);
    const opened = await openInput({ [Symbol.asyncIterator]: () => iterator }, { schema });
    expect(await rowsOf(opened)).toEqual([]);
    await opened.close();
    expect(returns).toBe(0);
  });

  it('rejects with the reason of an abort, also while a batch is awaited', async () => {
    const reason = new Error('enough');
    await expect(openInput([ints(1)], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    async function* stuck(): AsyncGenerator<RecordBatch> {
      yield ints(1);
      await new Promise(() => {});
    }
    const opened = await openInput(stuck(), { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    await expect(rowsOf(opened)).rejects.toBe(reason);
    await opened.close();
  });

  it('passes an error of the iterator on as it is', async () => {
    const error = new Error('disk');
    async function* failing(): AsyncGenerator<RecordBatch> {
      yield ints(1);
      throw error;
    }
    await expect(openInput(failing()).then((x) => rowsOf(x))).rejects.toBe(error);
  });

  it('asks a source for the named columns only', async () => {
    const table = tableFromArrays({ x: Int32Array.of(1), a: Int32Array.of(2), b: Int32Array.of(3) });
    const asked: (readonly string[] | undefined)[] = [];
    const source: Source = {
      schema: table.schema,
      parts: [],
      rows: 1,
      async *batches(columns) {
        asked.push(columns);
        yield* table.select([...(columns ?? [])] as ('x' | 'a' | 'b')[]).batches;
      },
    };
    const opened = await openInput(source);
    expect(opened.source).toBe(source);
    expect(opened.fields.map(({ name }) => name)).toEqual(['x', 'a', 'b']);
    expect(await rowsOf(opened, [1])).toEqual([[2n]]);
    expect(asked).toEqual([['a']]);
    const schema = new Schema([new Field('y', new Int32())]);
    await expect(openInput(source, { schema })).rejects.toThrow(/column "y"/);
  });

  it('reads the stream that a writer is making', async () => {
    const writer = RecordBatchStreamWriter.writeAll([ints(9)]);
    expect(await rowsOf(await openInput(given(await RecordBatchReader.from(writer.toUint8Array()))))).toEqual(
      [[9n]],
    );
  });
});
