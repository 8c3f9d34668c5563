import type { Unit } from './protocol.js';

/** Rows looked at, spread over the whole round: sorted input shows its full extent. */
const SAMPLES = 512;

/** Rows of a unit. */
export interface Sampled {
  readonly unit: Exclude<Unit, { kind: 'part' }>;
  readonly rows: readonly number[];
}

/** Evenly spaced rows of a round, the first and the last among them. The parts of a source, which the workers read, have none here. */
export function sampleRows(units: readonly Unit[]): Sampled[] {
  const rows = units.reduce((sum, unit) => sum + (unit.kind === 'part' ? 0 : unit.rows), 0);
  const step = Math.max(1, rows / SAMPLES);
  const sampled: Sampled[] = [];
  let first = 0;
  let next = 0;
  for (const unit of units) {
    if (unit.kind === 'part' || unit.rows === 0) continue;
    const end = first + unit.rows;
    const picks: number[] = [];
    for (; next < end; next += step) picks.push(Math.floor(next) - first);
    if (end === rows) picks.push(unit.rows - 1);
    if (picks.length > 0) sampled.push({ unit, rows: picks });
    first = end;
  }
  return sampled;
}
