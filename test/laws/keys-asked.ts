import * as fc from 'fast-check';
import {
  asc,
  bucket,
  cube,
  desc,
  groupingSets,
  gt,
  isNull,
  type Key,
  not,
  type Query,
  rollup,
  timeBucket,
} from 'rangefold';
import { dictionaryKind, type Kind, kindOf } from './kind.js';
import { decimalKind, floatKind, half, intKind } from './number-kinds.js';
import { queryOf, type Scene } from './scene.js';

/** A key, whatever the column: what does not concern its type is left out. */
export interface KeyAsked {
  readonly column: number;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** Whether the key is buckets of the column, where it can be. */
  readonly bucketed: boolean;
  readonly width: bigint;
  readonly offset: bigint;
  readonly span: string;
  readonly zone: string | undefined;
}

/** The keys of a query, the sets of them, and a condition on the rows. */
export interface Asked {
  readonly keys: readonly KeyAsked[];
  readonly sets: 'none' | 'rollup' | 'cube' | readonly (readonly number[])[];
  readonly where: 'none' | 'above' | 'valid';
}

const ZONES = [
  'America/St_Johns',
  'Europe/Berlin',
  'America/Havana',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
  '-09:45',
];
const SPANS = ['90 minutes', '2 hours', '1 day', '2 days', '1 week', '1 month', '1 quarter', '7 years'];
/** What a date has buckets of. */
const LONG_SPANS = SPANS.slice(2);

const keysAsked: fc.Arbitrary<KeyAsked> = fc.record({
  column: fc.nat(),
  descending: fc.boolean(),
  nullsFirst: fc.boolean(),
  bucketed: fc.boolean(),
  width: fc.oneof(
    { weight: 4, arbitrary: fc.bigInt(1n, 20n) },
    { weight: 2, arbitrary: fc.bigInt(1n, 2n ** 62n) },
    { weight: 1, arbitrary: fc.bigInt(1n, 2n ** 100n) },
  ),
  offset: fc.oneof(
    { weight: 4, arbitrary: fc.bigInt(-20n, 20n) },
    { weight: 1, arbitrary: fc.bigInt(-(2n ** 80n), 2n ** 80n) },
  ),
  span: fc.constantFrom(...SPANS),
  zone: fc.constantFrom(undefined, undefined, ...ZONES),
});

/** Up to `most` keys, in sets or not. */
export function asked(most: number): fc.Arbitrary<Asked> {
  return fc.record({
    keys: fc.array(keysAsked, { minLength: 1, maxLength: most }),
    sets: fc.oneof(
      fc.constantFrom<Asked['sets'][]>('none', 'rollup', 'cube'),
      fc.array(fc.array(fc.nat(), { maxLength: most }), { minLength: 1, maxLength: 6 }),
    ),
    where: fc.constantFrom('none', 'none', 'above', 'valid'),
  });
}

/** The query of a scene, with other keys. */
export function queryAsked(scene: Scene, { keys, sets, where }: Asked): Query {
  const kinds = scene.columns.map(({ kind }) => kind);
  const made = keys.map((key, i) => keyOf(key, kinds).as(`k${i}`));
  const { aggregates } = queryOf(scene);
  const c = `c${keys[0].column % kinds.length}`;
  const isInt = kinds[keys[0].column % kinds.length].values === 'int';
  return {
    by: byOf(made, sets),
    aggregates,
    ...(where === 'above' && isInt && { where: gt(c, 1) }),
    ...(where === 'valid' && { where: not(isNull(c)) }),
  };
}

function byOf(keys: readonly Key[], sets: Asked['sets']): Query['by'] {
  if (sets === 'none') return keys;
  if (sets === 'rollup') return rollup(...keys);
  if (sets === 'cube') return cube(...keys);
  return groupingSets(sets.map((set) => [...new Set(set.map((k) => keys[k % keys.length]))]));
}

function keyOf(key: KeyAsked, kinds: readonly Kind[]): Key {
  const c = key.column % kinds.length;
  const name = `c${c}`;
  const made = key.bucketed ? bucketOf(key, name, kinds[c]) : name;
  return (key.descending ? desc : asc)(made, { nulls: key.nullsFirst ? 'first' : 'last' });
}

function bucketOf({ width, offset, span, zone }: KeyAsked, name: string, kind: Kind): Key | string {
  switch (kind.values) {
    case 'int':
      return bucket(name, width, { offset });
    case 'float':
      return bucket(name, Number(width) / 4, { offset: Number(offset) / 3 });
    case 'decimal': {
      // in the last digit that the type has
      const scale = Number(/,(\d+)\)/.exec(kind.name)?.[1]);
      return bucket(name, `${width}e-${scale}`, { offset: `${offset}e-${scale}` });
    }
    default:
      if (kind.name.includes('timestamp[')) return timeBucket(name, span, zone === undefined ? {} : { zone });
      if (kind.name.includes('date'))
        return timeBucket(
          name,
          LONG_SPANS.includes(span) ? span : LONG_SPANS[span.length % LONG_SPANS.length],
        );
      return name;
  }
}

/** Times of a type, most of them in the last decades. */
function timeKind(name: string, bits: number, perDay: number): Kind {
  const kind = intKind(name, bits, true, 'other');
  const ticks = (days: number): bigint => BigInt(Math.floor(days * perDay));
  const recent = { min: -40_000, max: 40_000, noNaN: true };
  return kindOf({
    ...kind,
    arbitrary: fc.oneof(
      { weight: 9, arbitrary: fc.double(recent).map(ticks) },
      { weight: 1, arbitrary: kind.arbitrary },
    ),
    random: (random) => ticks(7000 + 3000 * random.unit()),
  });
}

const DAY = 86_400;

/** Kinds that have buckets, and a few that have none. */
export const BUCKET_KINDS: readonly Kind[] = [
  ...[8, 16, 32, 64].flatMap((bits) => [intKind(`i${bits}`, bits, true), intKind(`u${bits}`, bits, false)]),
  half,
  floatKind(4),
  floatKind(8),
  decimalKind(32, 9, 2),
  decimalKind(64, 18, 4),
  decimalKind(128, 30, 10),
  decimalKind(128, 38, 0),
  decimalKind(256, 70, 5),
  timeKind('date32', 32, 1),
  timeKind('date64', 64, 1000 * DAY),
  timeKind('timestamp[s]', 64, DAY),
  timeKind('timestamp[ms]', 64, 1000 * DAY),
  timeKind('timestamp[us,UTC]', 64, 1e6 * DAY),
  timeKind('timestamp[ns]', 64, 1e9 * DAY),
  dictionaryKind('i32', 4, timeKind('timestamp[us,UTC]', 64, 1e6 * DAY)),
  dictionaryKind('i8', 1, decimalKind(128, 30, 10)),
  dictionaryKind('u16', 2, floatKind(8)),
  dictionaryKind('i64', 8, intKind('i16', 16, true)),
];
