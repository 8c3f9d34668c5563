import { isDeepStrictEqual } from 'node:util';
import type { CheckedAggregate, CheckedCondition, CheckedQuery } from '../core/plan.js';
import type { DataType } from '../core/type.js';
import { isWide } from './compile-columns.js';
import { compileFilter, type Filter } from './filter.js';
import { isNarrow } from './moment-form.js';
import type { ColumnProgram, GatherProgram, OutputProgram, Program, StateProgram } from './program.js';
import { STATES, type StateKind } from './states.js';
import { storageOf } from './storage.js';

type Compiled = Pick<
  Program,
  'filters' | 'states' | 'gathers' | 'ticket' | 'outputs' | 'lanes' | 'grids' | 'scales'
>;

const NO_OPTIONS = {
  gathers: [],
  population: false,
  root: false,
  correlation: false,
  p: 0,
  interpolation: 'linear',
  most: 0,
  greatest: false,
  separator: '',
} as const;

/** The states and gathered values that a query's aggregates need, each once, and how outputs are made of them. Pure. */
export function compileOutputs(query: CheckedQuery, columns: readonly ColumnProgram[]): Compiled {
  const compiler = new Compiler(query, columns);
  const outputs = query.aggregates.map((aggregate) => compiler.output(aggregate));
  const { filters, states, gathers, grids, scales } = compiler;
  const ticket = gathers.length > 0 ? compiler.state('ticket', -1, -1) : -1;
  return {
    filters,
    states,
    gathers,
    ticket: ticket < 0 ? 0 : states[ticket].lane,
    outputs,
    lanes: compiler.lanes,
    grids,
    scales,
  };
}

/** The most values that a group keeps in its record; more are gathered. */
const MOST_KEPT = 8;

class Compiler {
  readonly filters: Filter[] = [];
  readonly states: StateProgram[] = [];
  readonly gathers: GatherProgram[] = [];
  lanes = 8;
  grids = 0;
  scales = 0;

  constructor(
    private readonly query: CheckedQuery,
    private readonly columns: readonly ColumnProgram[],
  ) {
    this.filter(query.where);
  }

  /** The index of the filter of a condition; -1 where there is none, or `where` has kept its rows already. */
  private filter(condition: CheckedCondition | undefined): number {
    if (condition === undefined) return -1;
    const filter = compileFilter(
      condition,
      this.columns.map(({ storage }) => storage),
    );
    const known = this.filters.findIndex((one) => isDeepStrictEqual(one, filter));
    if (known === 0 && this.query.where !== undefined) return -1;
    return known >= 0 ? known : this.filters.push(filter) - 1;
  }

  output(aggregate: CheckedAggregate): OutputProgram {
    const { column, second, type, input, where } = aggregate;
    const filter = this.filter(where);
    const common = {
      ...NO_OPTIONS,
      type,
      input,
      ...(second !== undefined && { second: second.input }),
      rows: filter < 0 ? -1 : this.state('rows', -1, filter),
      nulls: column < 0 ? -1 : this.nulls(column, filter),
      state: -1,
    };
    switch (aggregate.function) {
      case 'count':
        return { ...common, function: 'count' };
      case 'sum':
      case 'mean':
        return {
          ...common,
          function: aggregate.function,
          state: this.state(sumState(input), column, filter),
        };
      case 'min':
      case 'every':
        return { ...common, function: 'min', state: this.extreme('min', column, filter) };
      case 'max':
      case 'some':
        return { ...common, function: 'max', state: this.extreme('max', column, filter) };
      case 'first':
      case 'last': {
        const kind: StateKind = `${aggregate.function}${aggregate.ignoreNulls ? 'Value' : 'Row'}`;
        return { ...common, function: 'kept', state: this.state(kind, column, filter) };
      }
      case 'argMin':
      case 'argMax': {
        const by = second?.column ?? -1;
        const kind: StateKind = `${aggregate.function}${this.isText(by) ? 'Text' : ''}`;
        return { ...common, function: 'kept', state: this.state(kind, column, filter, by) };
      }
      case 'variance':
      case 'stddev':
        return {
          ...common,
          ...this.moments(aggregate, filter),
          function: 'spread',
          population: aggregate.population ?? false,
          root: aggregate.function === 'stddev',
        };
      case 'covariance':
      case 'correlation':
        return {
          ...common,
          ...this.moments(aggregate, filter),
          nulls: this.state('pairNulls', column, filter, second?.column ?? -1),
          function: 'pairSpread',
          correlation: aggregate.function === 'correlation',
        };
      case 'countDistinct':
        return { ...common, function: 'countDistinct', gathers: [this.ordered(column, filter, true)] };
      case 'mode':
        return { ...common, function: 'mode', gathers: [this.ordered(column, filter)] };
      case 'quantile':
        return {
          ...common,
          function: 'quantile',
          gathers: [this.ordered(column, filter)],
          p: aggregate.p ?? 0.5,
          interpolation: aggregate.interpolation ?? 'linear',
        };
      case 'top':
      case 'bottom': {
        const most = aggregate.n ?? 1;
        const isKept = most <= MOST_KEPT && !this.isText(column) && !this.columns[column].isNull;
        return {
          ...common,
          function: 'best',
          ...(isKept
            ? { state: this.state(aggregate.function, column, filter, -1, { most }) }
            : { gathers: [this.ordered(column, filter)] }),
          most,
          greatest: aggregate.function === 'top',
        };
      }
      case 'list':
        return { ...common, function: 'list', gathers: [this.exact(column, filter, { nulls: true })] };
      case 'join':
        return {
          ...common,
          function: 'join',
          gathers: [this.exact(column, filter)],
          separator: aggregate.separator ?? '',
        };
    }
  }

  /** The index of a state, which is made where there is none yet. */
  state(
    kind: StateKind,
    column: number,
    filter: number,
    second = -1,
    more: Partial<Pick<StateProgram, 'scales' | 'escapes' | 'most'>> = {},
  ): number {
    const { most = 1, scales = [], escapes = [] } = more;
    const known = this.find(kind, column, filter, second, most);
    if (known >= 0) return known;
    const grid = kind === 'sumFloat' ? this.grids++ : -1;
    this.states.push({ kind, column, second, lane: this.lanes, most, grid, scales, escapes, filter });
    this.lanes += STATES[kind].bytes * most;
    return this.states.length - 1;
  }

  private find(kind: StateKind, column: number, filter: number, second: number, most = 1): number {
    return this.states.findIndex(
      (state) =>
        state.kind === kind &&
        state.column === column &&
        state.second === second &&
        state.filter === filter &&
        state.most === most,
    );
  }

  private nulls(column: number, filter: number): number {
    const { codes, pool } = this.columns[column];
    return this.state(codes !== undefined && pool !== 0 ? 'nullTexts' : 'nulls', column, filter);
  }

  private extreme(fn: 'min' | 'max', column: number, filter: number): number {
    return this.state(this.isText(column) ? `${fn}Text` : fn, column, filter);
  }

  private isText(column: number): boolean {
    return this.columns[column].storage.shape === 'bytes';
  }

  /** A state where values have a word, else gathered values. */
  private moments(
    { function: fn, column, input, second }: CheckedAggregate,
    filter: number,
  ): Pick<OutputProgram, 'state' | 'gathers'> {
    const sides = [{ column, input }, ...(second === undefined ? [] : [second])];
    const other = second?.column ?? -1;
    const gather = (side: number, owner: number): number =>
      this.exact(sides[side].column, filter, {
        second: second === undefined ? -1 : sides[1 - side].column,
        owner,
      });
    if (sides.some((side) => isWide(side.input))) {
      return { state: -1, gathers: sides.map((_, side) => gather(side, -1)) };
    }
    const floats = sides.map((side) => side.input.kind === 'float');
    const isPaired = second !== undefined;
    const narrow = sides.every((side) => {
      const { storage } = this.columns[side.column];
      return storage.shape === 'number' && isNarrow(storage.kind, isPaired);
    });
    const kind: StateKind = isPaired
      ? narrow
        ? 'narrowPairs'
        : fn === 'covariance'
          ? 'products'
          : 'pairs'
      : narrow
        ? 'narrowMoments'
        : 'moments';
    const known = this.find(kind, column, filter, other);
    if (known >= 0) return { state: known, gathers: this.states[known].escapes };
    // the state that is made below
    const owner = this.states.length;
    const gathers = floats.includes(true) ? sides.map((_, side) => gather(side, owner)) : [];
    const scales = floats.map((float) => (float ? this.scales++ : -1));
    return { state: this.state(kind, column, filter, other, { scales, escapes: gathers }), gathers };
  }

  private ordered(column: number, filter: number, distinct = false): number {
    return this.gather({
      distinct,
      column,
      second: -1,
      filter,
      form: this.isText(column) ? 'rank' : 'order',
      nulls: false,
      owner: -1,
    });
  }

  private exact(
    column: number,
    filter: number,
    { second = -1, nulls = false, owner = -1 }: Partial<GatherProgram> = {},
  ): number {
    return this.gather({
      distinct: false,
      column,
      second,
      filter,
      form: this.isText(column) ? 'entry' : owner < 0 ? 'exact' : 'raw',
      nulls,
      owner,
    });
  }

  private gather(wanted: GatherProgram): number {
    const names = Object.keys(wanted) as (keyof GatherProgram)[];
    const known = this.gathers.findIndex((gather) =>
      names.every((name) => name === 'distinct' || gather[name] === wanted[name]),
    );
    if (known < 0) return this.gathers.push(wanted) - 1;
    // one gather for all who ask for the same values: every time a value comes where one of them needs it
    if (!wanted.distinct) this.gathers[known] = wanted;
    return known;
  }
}

function sumState(type: DataType): StateKind {
  const storage = storageOf(type);
  if (type.kind === 'float') return 'sumFloat';
  if (storage.shape === 'bytes') return storage.width === 16 ? 'sumWords2' : 'sumWords4';
  if (storage.width < 8) return 'sumNarrow';
  return type.kind === 'int' && !type.signed ? 'sumUnsigned' : 'sumSigned';
}
