import type { Batch } from '../core/column.js';
import type { OpenedInput } from '../core/input.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import type { Unit } from './protocol.js';
import { toShared } from './shared-column.js';
import { isShared, Stager } from './stage.js';

/** Rows after which a round of an input that comes batch by batch is sent to the workers. */
const ROUND_ROWS = 1 << 22;
/** Batches after which it is, so that what is sent stays small. */
const ROUND_BATCHES = 4096;

/**
 * The input as rounds of units that the workers can read: the parts of a source in one round; columns in shared memory
 * as they are; columns in ordinary memory copied, as many rows a round as `roundBytes` hold. A round's memory is good
 * until the next but one is asked for.
 */
export async function* roundsOf(
  input: OpenedInput,
  columns: readonly number[],
  program: Program,
  memory: KernelMemory,
  kernels: Kernels,
  roundBytes: number,
): AsyncGenerator<Unit[], void, undefined> {
  if (input.source !== undefined) {
    yield input.source.parts.map((source, part) => ({ kind: 'part', part, source }));
    return;
  }
  const stager = new Stager(memory, kernels, program);
  let units: Unit[] = [];
  let held = 0;
  let bytes = 0;
  let part = 0;
  for await (const batch of input.batches(columns)) {
    if (isShared(batch, program)) {
      units.push({
        kind: 'columns',
        rows: batch.rows,
        columns: batch.columns.map((column, c) => toShared(memory, column, program.columns[c].read)),
        starts: [],
        part,
        row: 0,
      });
      held += batch.rows;
      if (held >= ROUND_ROWS && input.rows === undefined) yield flush();
    } else {
      for (const [start, rows] of piecesOf(batch, stager, roundBytes)) {
        const size = stager.sizeOf(batch, start, rows);
        if (bytes + size > roundBytes && bytes > 0) {
          yield flush();
          bytes = 0;
        }
        if (bytes === 0) stager.begin(Math.max(size, roundBytes));
        units.push(stager.copy(batch, start, rows, part, 0));
        bytes += size;
        held += rows;
      }
    }
    if (units.length >= ROUND_BATCHES) {
      yield flush();
      bytes = 0;
    }
    part++;
  }
  if (units.length > 0) yield flush();

  function flush(): Unit[] {
    const round = units;
    units = [];
    held = 0;
    return round;
  }
}

/** Cuts a batch into pieces of about `bytes` bytes. */
function* piecesOf(batch: Batch, stager: Stager, bytes: number): Generator<[number, number]> {
  const size = stager.sizeOf(batch, 0, batch.rows);
  const pieces = Math.max(1, Math.ceil(size / bytes));
  const step = Math.max(1, Math.ceil(batch.rows / pieces));
  for (let start = 0; start < batch.rows; start += step) yield [start, Math.min(step, batch.rows - start)];
}
