/**
 * The offsets of a time zone from UTC, by the time zone database that comes with Node, which only tells what a clock reads at an
 * instant; where the offset changes is searched for. All times in whole seconds since 1970-01-01T00:00Z.
 */
export interface TimeZone {
  /** A stretch of one offset that holds an instant. */
  at(second: bigint): Stretch;
}

/** A stretch of time in which the offset stays the same; the stretch before it may have the same. */
export interface Stretch {
  /** Its first second; undefined where it has no beginning. */
  readonly start: bigint | undefined;
  /** The second after its last; the stretch behind may have the same offset. */
  readonly end: bigint;
  /** What is added to UTC to get what the clock reads. */
  readonly offset: bigint;
}

const zones = new Map<string, TimeZone | undefined>();

/** A zone of the IANA database, or an offset as `+05:30`; undefined where there is none of this name. */
export function timeZone(name: string): TimeZone | undefined {
  if (!zones.has(name)) zones.set(name, makeZone(name));
  return zones.get(name);
}

export function isTimeZone(name: string): boolean {
  return timeZone(name) !== undefined;
}

function makeZone(name: string): TimeZone | undefined {
  const fixed = /^([+-])(\d\d):?([0-5]\d)$/.exec(name);
  if (fixed !== null) {
    const seconds = BigInt(fixed[2]) * 3600n + BigInt(fixed[3]) * 60n;
    return new SearchedZone(() => Number(fixed[1] === '-' ? -seconds : seconds));
  }
  try {
    return new SearchedZone(clockOf(name));
  } catch {
    // Intl knows no such zone.
    return undefined;
  }
}

/** The offset of a zone at an instant, in seconds. */
function clockOf(timeZone: string): (second: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (second) => {
    const [month, day, year, ...clock] = (format.format(second * 1000).match(/\d+/g) ?? []).map(Number);
    return Date.UTC(year, month - 1, day, ...clock) / 1000 - second;
  };
}

const DAY = 86_400;
/** 1800-01-01: before the first rule of any zone. */
const FIRST = -5_364_662_400;
/** 2200-01-01: after the last rule that does not come again every year, and so every 400 years to the second. */
const SETTLED = 7_258_118_400;
const CYCLE = 146_097 * DAY;
/** Where what is looked up at once ends: about 17 years. */
const CHUNK = 2 ** 29;
/** A zone that changed its offset and changed it back within a week has not been seen since clocks have zones. */
const STEP = 7 * DAY;

/** Finds changes of the offset a chunk at a time, the first time that a chunk is asked for. */
class SearchedZone implements TimeZone {
  readonly #offset: (second: number) => number;
  readonly #chunks = new Map<number, readonly Stretch[]>();
  readonly #earliest: Stretch;

  constructor(offset: (second: number) => number) {
    this.#offset = offset;
    this.#earliest = { start: undefined, end: BigInt(FIRST), offset: BigInt(offset(FIRST)) };
  }

  at(second: bigint): Stretch {
    if (second < BigInt(FIRST)) return this.#earliest;
    // Beyond what is settled, rules repeat with the Gregorian calendar, which takes 400 years.
    const cycles = second < BigInt(SETTLED) ? 0n : (second - BigInt(SETTLED)) / BigInt(CYCLE);
    const shift = cycles * BigInt(CYCLE);
    const { start = 0n, end, offset } = this.#find(second - shift);
    const last = BigInt(SETTLED + CYCLE);
    return { start: start + shift, end: (end < last ? end : last) + shift, offset };
  }

  #find(second: bigint): Stretch {
    const number = Math.floor((Number(second) - FIRST) / CHUNK);
    let chunk = this.#chunks.get(number);
    if (chunk === undefined) {
      chunk = this.#search(FIRST + number * CHUNK);
      this.#chunks.set(number, chunk);
    }
    return chunk.findLast(({ start }) => start === undefined || start <= second) ?? this.#earliest;
  }

  /** The stretches of a chunk, the first of which begins with it. */
  #search(first: number): Stretch[] {
    const starts: number[] = [];
    let last = this.#offset(first);
    const add = (start: number): void => {
      last = this.#offset(start);
      starts.push(start);
    };
    add(first);
    for (let second = first; second < first + CHUNK; second += STEP) {
      const end = Math.min(second + STEP, first + CHUNK - 1);
      if (this.#offset(end) !== last) add(this.#change(second, end));
    }
    return starts.map((start, i) =>
      Object.freeze({
        start: BigInt(start),
        end: BigInt(starts[i + 1] ?? first + CHUNK),
        offset: BigInt(this.#offset(start)),
      }),
    );
  }

  /** The first second of another offset, between one that has the offset before and one that has not. */
  #change(before: number, after: number): number {
    const offset = this.#offset(before);
    let [low, high] = [before, after];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offset(middle) === offset) low = middle;
      else high = middle;
    }
    return high;
  }
}
