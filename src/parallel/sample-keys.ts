import { bucketStart, holdsStart } from '../core/bucket.js';
import { type Value, valueReader } from '../core/read-values.js';
import { encodeValue } from './encode-value.js';
import { joinAll, type KeyExtent, NOTHING } from './layout.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import type { Unit } from './protocol.js';
import { fromShared } from './shared-column.js';

/** Rows looked at, spread over the whole round: sorted input shows its full extent. */
const SAMPLES = 512;

/**
 * The extents of the keys in a sample of a round's rows. Texts (whose codes the workers give) and the parts of a source
 * (which the workers read) show nothing here.
 */
export function sampleKeys(
  program: Program,
  memory: KernelMemory,
  units: readonly Unit[],
): readonly KeyExtent[] {
  const rows = units.reduce((sum, unit) => sum + (unit.kind === 'part' ? 0 : unit.rows), 0);
  let extents: readonly KeyExtent[] = program.keys.map(() => NOTHING);
  if (rows === 0) return extents;
  const step = Math.max(1, rows / SAMPLES);
  let first = 0;
  let next = 0;
  for (const unit of units) {
    if (unit.kind === 'part' || unit.rows === 0) continue;
    const end = first + unit.rows;
    const picks: number[] = [];
    for (; next < end; next += step) picks.push(Math.floor(next) - first);
    if (end === rows) picks.push(unit.rows - 1);
    if (picks.length > 0) extents = joinAll(extents, extentsAt(program, memory, unit, picks));
    first = end;
  }
  return extents;
}

function extentsAt(
  program: Program,
  memory: KernelMemory,
  unit: Exclude<Unit, { kind: 'part' }>,
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
