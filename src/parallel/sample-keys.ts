import { bucketStart, holdsStart } from '../core/bucket.js';
import { type Value, valueReader } from '../core/read-values.js';
import { encodeValue } from './encode-value.js';
import { joinAll, type KeyExtent, NOTHING } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import type { Sampled } from './sample-rows.js';
import { fromShared } from './shared-column.js';

/**
 * The extents of the keys in the rows of a sample. Texts (whose codes the workers give) and the parts of a source
 * (which the workers read) show nothing here.
 */
export function sampleKeys(
  program: Program,
  memory: KernelMemory,
  sampled: readonly Sampled[],
): readonly KeyExtent[] {
  return sampled
    .map(({ unit, rows }) => extentsAt(program, memory, unit, rows))
    .reduce(
      joinAll,
      program.keys.map(() => NOTHING),
    );
}

function extentsAt(
  program: Program,
  memory: KernelMemory,
  unit: Sampled['unit'],
  rows: readonly number[],
): KeyExtent[] {
  return program.keys.map(({ column, text, bucket, steps }, k): KeyExtent => {
    const { storage, codes } = program.columns[column];
    // codes are not to be trusted before a worker has looked them up
    if (text || codes !== undefined || storage.shape === 'bytes') return NOTHING;
    const read = valueReader(fromShared(memory, unit.columns[column]));
    const type = program.keyTypes[k];
    const start = bucket === undefined ? (value: Value) => value : bucketStart(bucket, type);
    let { least, most, nulls } = NOTHING;
    for (const row of rows) {
      const given = read(row);
      if (given === null) {
        nulls = true;
        continue;
      }
      const made = start(given);
      if (bucket !== undefined && !holdsStart(type, given, made)) continue;
      const value = encodeValue(storage.kind, made);
      const word = steps === undefined ? value : (value - steps.first) / steps.step;
      if (least > most) least = most = word;
      else if (word < least) least = word;
      else if (word > most) most = word;
    }
    return { least, most, nulls };
  });
}
