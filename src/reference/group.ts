import type { Value } from '../core/read-values.js';
import { owned } from './owned.js';
import type { State } from './state.js';

/** The rows of one key: the key's values, canonical and owned, and what the aggregates have seen. */
export interface Group {
  /** The number of its grouping set; 0 where there are none. */
  readonly set: number;
  /** Null for the keys that are not in the set. */
  readonly key: readonly (Value | null)[];
  readonly states: readonly State[];
}

/** Groups by key. Two keys are one exactly where their texts are equal. */
export class Groups {
  readonly #byText = new Map<string, Group>();

  constructor(private readonly start: () => readonly State[]) {}

  /** The group of a key in a set, begun if it is new. Bytes of a new key are copied. */
  find(set: number, key: readonly (Value | null)[]): Group {
    const text = `${set};${textOf(key)}`;
    let group = this.#byText.get(text);
    if (group === undefined) {
      group = { set, key: key.map((value) => owned(value)), states: this.start() };
      this.#byText.set(text, group);
    }
    return group;
  }

  all(): Group[] {
    return [...this.#byText.values()];
  }
}

/**
 * Injective for keys of equal types: numbers and words end at the comma, which they cannot contain, and bytes say how
 * many they are. String() of a double gives digits that no other double has.
 */
export function textOf(key: readonly (Value | null)[]): string {
  let text = '';
  for (const value of key) {
    text +=
      value instanceof Uint8Array
        ? `${value.length}:${Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1')},`
        : `${value},`;
  }
  return text;
}
