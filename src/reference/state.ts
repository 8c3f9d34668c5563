import type { Cell } from '../core/build.js';
import type { Value } from '../core/read-values.js';

/** What an aggregate has seen of a group. */
export interface State {
  /** Takes a row of the group: the value of the aggregate's column there, and of its second where it has one. */
  fold(value: Value | null, second: Value | null): void;
  /** The result; an integer may be out of the range of its type. */
  finish(): Cell;
}
