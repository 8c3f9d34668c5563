import { queryError } from './errors.js';

/** One key of a query: a column, its direction and where its nulls stand. A plain frozen value. */
export interface Key<N extends string = string> {
  readonly key: string;
  /** The name of the output column. */
  readonly name: N;
  readonly descending: boolean;
  readonly nulls: 'first' | 'last';
  /** The same key under another output name. */
  as<const M extends string>(name: M): Key<M>;
}

export interface KeyOptions {
  /** Where nulls stand, in either direction; default 'last'. */
  readonly nulls?: 'first' | 'last';
}

type NameOf<K extends string | Key> = K extends Key<infer N> ? N : K extends string ? K : never;

function key<N extends string>(
  column: string,
  name: N,
  descending: boolean,
  nulls: 'first' | 'last',
): Key<N> {
  return Object.freeze({
    key: column,
    name,
    descending,
    nulls,
    as<const M extends string>(other: M): Key<M> {
      if (typeof other !== 'string') throw queryError('as(name)', String(other), 'a name');
      return key(column, other, descending, nulls);
    },
  });
}

function directed<const K extends string | Key>(
  x: K,
  descending: boolean,
  options: KeyOptions,
): Key<NameOf<K>> {
  const label = descending ? 'desc' : 'asc';
  const column = typeof x === 'string' ? x : x?.key;
  if (typeof column !== 'string') throw queryError(`${label}(x)`, String(x), 'a column name or a key');
  const nulls = options.nulls ?? (typeof x === 'string' ? 'last' : x.nulls);
  if (nulls !== 'first' && nulls !== 'last') {
    throw queryError(`${label}(${column}, { nulls })`, String(nulls), "'first' or 'last'");
  }
  const name = (typeof x === 'string' ? x : x.name) as NameOf<K>;
  return key(column, name, descending, nulls);
}

/** Ascending order of values; nulls last unless said otherwise. */
export function asc<const K extends string | Key>(x: K, options: KeyOptions = {}): Key<NameOf<K>> {
  return directed(x, false, options);
}

/** Descending order of values; nulls last unless said otherwise. */
export function desc<const K extends string | Key>(x: K, options: KeyOptions = {}): Key<NameOf<K>> {
  return directed(x, true, options);
}
