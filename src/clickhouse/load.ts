import { randomUUID } from 'node:crypto';
import type { RunOptions } from '../core/aggregator.js';
import type { Batch } from '../core/column.js';
import type { OpenedInput } from '../core/input.js';
import type { CheckedQuery } from '../core/plan.js';
import { valueReader } from '../core/read-values.js';
import { validateColumn } from '../core/validate-column.js';
import { carrierOf } from './carrier.js';
import { nativeBlock, type Sent } from './native.js';
import { quotedTable, quotedText } from './quoted.js';
import { operand, type Relation } from './relation.js';
import type { Server } from './server.js';

/** Where inputs are loaded. */
export interface Place {
  readonly database: string | undefined;
  /** The server that is asked. */
  readonly server: Server;
  /** The servers that take rows, in turn; several are the shards of `cluster`. */
  readonly shards: readonly Server[];
  readonly cluster: string | undefined;
}

/** An input in a table of its own. */
export interface Loaded {
  readonly relation: Relation;
  readonly rows: number;
  /** Drops the table, also where the run was aborted. */
  drop(): Promise<void>;
}

/** Bytes that wait for a server until they are sent; each sending is a part of the table. */
const SEND_BYTES = 2 ** 24;

const ROW_NUMBER = 'row';

/**
 * Loads the columns that a query reads, with the number of each row, into a new table; of several shards each takes every so manieth row.
 * @throws InputError where a batch is damaged; the table is dropped then.
 */
export async function load(
  query: CheckedQuery,
  input: OpenedInput,
  place: Place,
  { signal, onProgress }: RunOptions & { readonly signal: AbortSignal },
): Promise<Loaded> {
  const { server, shards, database, cluster } = place;
  const name = `rangefold_${randomUUID().replaceAll('-', '')}`;
  const local = quotedTable({ database, table: name });
  const whole = cluster === undefined ? local : quotedTable({ database, table: `${name}_whole` });
  const columns = query.columns.map(({ type }, i) => ({
    name: `c${i}`,
    carrier: carrierOf(type),
    nullable: true,
  }));
  const drop = async (): Promise<void> => {
    if (whole !== local) await server.run(`DROP TABLE IF EXISTS ${whole}`);
    await Promise.all(shards.map((shard) => shard.run(`DROP TABLE IF EXISTS ${local} SYNC`)));
  };
  try {
    const fields = [
      `${ROW_NUMBER} UInt64`,
      ...columns.map(({ name, carrier }) => `${name} Nullable(${carrier})`),
    ].join(', ');
    await Promise.all(
      shards.map((shard) =>
        shard.run(`CREATE TABLE ${local} (${fields}) ENGINE = MergeTree ORDER BY tuple()`, signal),
      ),
    );
    if (cluster !== undefined) {
      const where = database === undefined ? 'currentDatabase()' : quotedText(database);
      const engine = `Distributed(${quotedText(cluster)}, ${where}, ${quotedText(name)})`;
      await server.run(`CREATE TABLE ${whole} (${fields}) ENGINE = ${engine}`, signal);
    }
    const senders = shards.map((shard) => new Sender(shard, local, signal));
    let rows = 0;
    let number = 0;
    for await (const batch of input.batches(query.columns.map(({ index }) => index))) {
      validate(query, batch, number++);
      const first = rows;
      const sent: Sent[] = [
        { name: ROW_NUMBER, carrier: 'UInt64', nullable: false, read: (row) => BigInt(first + row) },
        ...batch.columns.map((column, i) => ({ ...columns[i], read: valueReader(column) })),
      ];
      for (const [shard, sender] of senders.entries()) {
        const own: number[] = [];
        for (let row = 0; row < batch.rows; row++) if ((first + row) % shards.length === shard) own.push(row);
        if (own.length > 0) await sender.add(nativeBlock(sent, own));
      }
      rows += batch.rows;
      onProgress?.({ phase: 'load', rows, ...(input.rows !== undefined && { totalRows: input.rows }) });
      signal.throwIfAborted();
    }
    await Promise.all(senders.map((sender) => sender.send()));
    signal.throwIfAborted();
    const relation: Relation = {
      from: whole,
      operands: query.columns.map(({ type }, i) => operand(type, columns[i].name)),
      rowNumber: ROW_NUMBER,
      names: [],
    };
    return { relation, rows, drop };
  } catch (error) {
    // What went wrong first is the error to be told, and a server that is gone drops nothing.
    await drop().catch(() => {});
    throw error;
  }
}

/** Blocks on their way to a server. */
class Sender {
  #blocks: Uint8Array[] = [];
  #bytes = 0;

  constructor(
    private readonly server: Server,
    private readonly table: string,
    private readonly signal: AbortSignal,
  ) {}

  async add(block: Uint8Array): Promise<void> {
    this.#blocks.push(block);
    this.#bytes += block.length;
    if (this.#bytes >= SEND_BYTES) await this.send();
  }

  async send(): Promise<void> {
    if (this.#blocks.length === 0) return;
    const blocks = this.#blocks;
    this.#blocks = [];
    this.#bytes = 0;
    await this.server.run(`INSERT INTO ${this.table} FORMAT Native`, this.signal, blocks);
  }
}

function validate(query: CheckedQuery, batch: Batch, number: number): void {
  for (const [i, column] of batch.columns.entries())
    validateColumn(column, `batch ${number}, column ${JSON.stringify(query.columns[i].name)}`);
}
