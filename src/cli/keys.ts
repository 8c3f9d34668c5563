import type { Query } from '../core/aggregator.js';
import { cube, groupingSets, rollup } from '../core/grouping.js';
import { asc, bucket, desc, type Key, timeBucket } from '../core/keys.js';
import { attempt } from './attempt.js';
import type { TypeOf } from './condition.js';
import type { Call, Item } from './grammar.js';
import { isNumber, numberOf } from './number.js';
import { type Parsed, parseKeys } from './parse.js';

/** The keys of `--by origin,desc(distance)`. @throws UsageError */
export function parseBy(text: string, typeOf: TypeOf = () => undefined): Query['by'] {
  if (text.trim() === '') return [];
  const parsed = parseKeys(text, '--by');
  const reader = new KeyReader(parsed, typeOf);
  const [only] = parsed.tree;
  if (only.kind !== 'call' || !SETS.includes(only.name)) return parsed.tree.map((item) => reader.key(item));
  if (parsed.tree.length > 1)
    throw parsed.fault(parsed.tree[1].at, `got a key beside ${only.name}, wanted it alone`);
  return reader.sets(only);
}

/** The columns of `--sort "desc(flights),origin"`. @throws UsageError */
export function parseSort(text: string): (string | Key)[] {
  const parsed = parseKeys(text, '--sort');
  const reader = new KeyReader(parsed, () => undefined);
  return parsed.tree.map((item) => reader.column(item));
}

const SETS = ['rollup', 'cube', 'groupingSets'];
const KEYS = ['asc', 'desc', 'bucket', 'timeBucket'];

class KeyReader {
  constructor(
    private readonly parsed: Parsed<unknown>,
    private readonly typeOf: TypeOf,
  ) {}

  sets(call: Call): Query['by'] {
    const { name, parameters } = call;
    if (name !== 'groupingSets')
      return (name === 'cube' ? cube : rollup)(...parameters.map((item) => this.key(item)));
    const sets = parameters.map((item) => {
      if (item.kind === 'set') return item.parameters.map((key) => this.key(key));
      throw this.parsed.fault(item.at, 'got a key, wanted keys in parentheses, as groupingSets((a,b),())');
    });
    return attempt(this.parsed, call.at, () => groupingSets(sets));
  }

  key(item: Item): string | Key {
    switch (item.kind) {
      case 'word':
        this.#requireName(item);
        return item.name;
      case 'name':
        return item.name;
      case 'option': {
        const key = this.key(item.value);
        return (typeof key === 'string' ? asc(key) : key).as(item.name);
      }
      case 'call':
        return this.#call(item, (inner) => this.key(inner));
      default:
        throw this.parsed.fault(item.at, 'got a value, wanted a key, as origin or desc(distance)');
    }
  }

  /** A column of the answer, or a direction of one. */
  column(item: Item): string | Key {
    if (item.kind === 'word') this.#requireName(item);
    if (item.kind === 'word' || item.kind === 'name') return item.name;
    if (item.kind === 'call' && (item.name === 'asc' || item.name === 'desc'))
      return this.#call(item, (inner) => this.column(inner));
    throw this.parsed.fault(item.at, 'wanted a column of the answer, as flights or desc(flights)');
  }

  /** Names that end as an order or a name would in SQL have to stand in quotes. */
  #requireName({ name, at }: { readonly name: string; readonly at: number }): void {
    const [, column, word, other] = /^(.+?)\s+(?:(asc|desc)|as\s+(.+))$/i.exec(name) ?? [];
    if (column === undefined) return;
    const wanted = word === undefined ? `${other}=${column}` : `${word.toLowerCase()}(${column})`;
    throw this.parsed.fault(at, `got ${JSON.stringify(name)}, wanted ${wanted}`);
  }

  #call(call: Call, inner: (item: Item) => string | Key): Key {
    const { name, at } = call;
    const { positional, options } = this.#split(call);
    const [first, width] = positional;
    switch (name) {
      case 'asc':
      case 'desc': {
        const key = inner(this.#required(call, first, `${name}(column)`));
        this.#noMore(positional, 1, `${name}(column)`);
        return attempt(this.parsed, at, () => (name === 'asc' ? asc : desc)(key, options));
      }
      case 'bucket': {
        const form = 'bucket(column,width)';
        const column = this.#name(this.#required(call, first, form), form);
        const wide = this.#text(this.#required(call, width, form));
        this.#noMore(positional, 2, form);
        const type = this.typeOf(column);
        const read = (text: string): number | bigint | string =>
          isNumber(text) ? numberOf(text, type) : text;
        const { offset, ...rest } = options;
        const settled = offset === undefined ? rest : { ...rest, offset: read(offset) };
        return attempt(this.parsed, at, () => bucket(column, read(wide), settled));
      }
      case 'timeBucket': {
        const form = "timeBucket(column,'1 month')";
        const column = this.#name(this.#required(call, first, form), form);
        const span = this.#text(this.#required(call, width, form));
        this.#noMore(positional, 2, form);
        return attempt(this.parsed, at, () => timeBucket(column, span, options));
      }
      default:
        throw this.parsed.fault(
          at,
          `got ${JSON.stringify(name)}, wanted one of ${[...KEYS, ...SETS].join(', ')}`,
        );
    }
  }

  /** The first parameter of a call is a thing, also where it has a name. */
  #split({ parameters }: Call): { positional: Item[]; options: Record<string, string> } {
    const positional: Item[] = [];
    const options: Record<string, string> = {};
    for (const [i, item] of parameters.entries()) {
      if (item.kind === 'option' && i > 0) options[item.name] = this.#text(item.value);
      else positional.push(item);
    }
    return { positional, options };
  }

  #required(call: Call, item: Item | undefined, form: string): Item {
    if (item !== undefined) return item;
    throw this.parsed.fault(call.at, `got ${call.name} of too little, wanted ${form}`);
  }

  #noMore(items: readonly Item[], most: number, form: string): void {
    if (items.length > most)
      throw this.parsed.fault(items[most].at, `got one thing too many, wanted ${form}`);
  }

  #name(item: Item, form: string): string {
    if (item.kind === 'word' || item.kind === 'name') return item.name;
    throw this.parsed.fault(item.at, `wanted a column, as in ${form}`);
  }

  #text(item: Item): string {
    if (item.kind === 'text') return item.text;
    if (item.kind === 'word' || item.kind === 'name') return item.name;
    throw this.parsed.fault(item.at, 'wanted a value');
  }
}
