import { valueReader } from '../core/read-values.js';
import { chooseExponent, chooseStep, sharedExponent } from './grid.js';
import type { KernelMemory } from './memory.js';
import type { Program } from './program.js';
import type { Sampled } from './sample-rows.js';
import { fromShared } from './shared-column.js';

/**
 * Chooses the grids of float sums and the steps of moments by the rows of a sample, so that values which grow along
 * the input fit them too. Those of columns that show nothing here are chosen by the worker that needs them first.
 */
export function sampleGrids(
  program: Program,
  memory: KernelMemory,
  sampled: readonly Sampled[],
  grids: number,
  additions: number,
): void {
  if (sampled.length === 0) return;
  const greatest = new Map<number, number>();
  const greatestOf = (column: number): number => {
    const known = greatest.get(column);
    if (known !== undefined) return known;
    let most = 0;
    for (const { unit, rows } of sampled) {
      const read = valueReader(fromShared(memory, unit.columns[column]));
      for (const row of rows) {
        const size = Math.abs(Number(read(row) ?? 0));
        if (size > most && size < Number.POSITIVE_INFINITY) most = size;
      }
    }
    greatest.set(column, most);
    return most;
  };
  const choose = (column: number, index: number, by: (most: number) => number): void => {
    // codes are not to be trusted before a worker has looked them up
    if (program.columns[column].codes !== undefined) return;
    const most = greatestOf(column);
    if (most > 0) sharedExponent(memory, grids, index, () => by(most));
  };
  for (const { kind, column, second, grid, scales } of program.states) {
    if (kind === 'sumFloat') choose(column, grid, (most) => chooseExponent(most, additions));
    scales.forEach((scale, side) => {
      if (scale >= 0) choose(side === 0 ? column : second, program.grids + scale, chooseStep);
    });
  }
}
