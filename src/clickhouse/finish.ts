import { build, type Cell } from '../core/build.js';
import { chooseRows } from '../core/choose-rows.js';
import type { Batch } from '../core/column.js';
import type { RangefoldError } from '../core/errors.js';
import { fitsType, overflowError } from '../core/overflow-error.js';
import type { CheckedQuery } from '../core/plan.js';
import type { Value } from '../core/read-values.js';
import type { Rows } from './groups.js';
import { countAt, type Selected } from './parts.js';
import type { Select } from './select.js';
import { ofNoRows } from './select-aggregate.js';

/** Columns of finished values, of groups in the order of the answer before `sort`. */
export interface Finished {
  readonly groups: number;
  /** By column of the output. */
  readonly cells: readonly (readonly Cell[])[];
}

/**
 * Makes the answer of what was selected: rounds once, divides, picks. Batches are given in order, one by one; what is wrong with one
 * of them is raised at the end, because a later one may hold what comes first.
 */
export class Finisher {
  readonly #sets: readonly (readonly number[])[];
  readonly #keyFaults: (RangefoldError | undefined)[] = [];
  #overflow: RangefoldError | undefined;
  #set = 0;
  #groups = 0;

  constructor(
    private readonly query: CheckedQuery,
    private readonly select: Select,
  ) {
    this.#sets = query.sets ?? [query.keys.map((_, i) => i)];
  }

  /** How many groups there were so far. */
  get groups(): number {
    return this.#groups;
  }

  /** Whether an error is waiting, so that no answer is to be handed out. */
  get failed(): boolean {
    return this.#overflow !== undefined || this.#keyFaults.some((fault) => fault !== undefined);
  }

  finish({ count, columns }: Rows): Finished {
    const { keys } = this.select;
    const cells = this.query.output.map((): Cell[] => []);
    const before = this.#groups;
    let row = 0;
    const part = (number: number) => columns[1 + keys.length + number];
    const group: Selected = {
      value: (number) => part(number).value(row),
      list: (number) => part(number).list(row),
    };
    for (; row < count; row++) {
      if (countAt(group, this.select.rows) === 0) continue;
      const set = Number(columns[0].value(row));
      this.#fill(cells, set);
      this.#set = set + 1;
      const key = keys.map(({ read }, i) => {
        const carried = columns[1 + i].value(row);
        return carried === null ? null : read(carried);
      });
      for (const [i, { fault }] of keys.entries()) {
        if (this.#sets[set].includes(i)) this.#keyFaults[i] ??= fault(key[i], group);
      }
      this.#push(cells, set, key, this.#results(set, key, group));
    }
    return { groups: this.#groups - before, cells };
  }

  /** The groups of no rows that come after all others. @throws the first error there was. */
  end(): Finished {
    const fault = this.#keyFaults.find((one) => one !== undefined) ?? this.#overflow;
    if (fault !== undefined) throw fault;
    const cells = this.query.output.map((): Cell[] => []);
    const before = this.#groups;
    this.#fill(cells, this.#sets.length);
    return { groups: this.#groups - before, cells };
  }

  /** A set without keys has one group, also where there are no rows. */
  #fill(cells: Cell[][], before: number): void {
    for (; this.#set < before; this.#set++) {
      if (this.#sets[this.#set].length > 0) continue;
      const key = this.query.keys.map(() => null);
      this.#push(
        cells,
        this.#set,
        key,
        this.query.aggregates.map((one) => ofNoRows(one.function)),
      );
    }
  }

  #push(cells: Cell[][], set: number, key: readonly (Value | null)[], results: readonly Cell[]): void {
    this.#groups += 1;
    const row = [...key, ...(this.query.sets === undefined ? [] : [this.#groupingOf(set)]), ...results];
    for (const [i, cell] of row.entries()) cells[i].push(cell);
  }

  /** A bit for each key, the first highest: set where it is not in the set. */
  #groupingOf(set: number): bigint {
    return this.query.keys.reduce((bits, _, i) => bits * 2n + (this.#sets[set].includes(i) ? 0n : 1n), 0n);
  }

  #results(set: number, key: readonly (Value | null)[], group: Selected): Cell[] {
    const { aggregates, keys } = this.query;
    return aggregates.map((aggregate, i) => {
      const cell = this.select.aggregates[i](group);
      if (aggregate.function === 'sum' && typeof cell === 'bigint' && !fitsType(aggregate.type, cell)) {
        const members = this.#sets[set];
        this.#overflow ??= overflowError(
          aggregate,
          cell,
          members.map((k) => keys[k]),
          members.map((k) => key[k]),
        );
        return null;
      }
      return cell;
    });
  }
}

/** The columns of the groups that a query keeps, in the order it wants them. */
export function keep(
  query: Pick<CheckedQuery, 'output' | 'having' | 'sort' | 'limit'>,
  { groups, cells }: Finished,
): Batch {
  const columns = query.output.map(({ type }, i) => ({
    type,
    // Of a list it only matters whether it is null.
    read: (row: number) => {
      const cell = cells[i][row];
      return Array.isArray(cell) ? true : (cell as Value | null);
    },
  }));
  const chosen = chooseRows(query, groups, columns);
  return {
    rows: chosen.length,
    columns: query.output.map(({ type }, i) =>
      build(
        type,
        chosen.map((row) => cells[i][row]),
      ),
    ),
  };
}
