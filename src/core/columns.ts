import { queryError } from './errors.js';
import { nearest } from './nearest.js';
import { otherDelimiter } from './other-delimiter.js';
import type { InputColumn } from './plan.js';
import type { DataType, Field } from './type.js';

/** Columns that a condition, key or aggregate can name. */
export interface Names {
  /** Whether lists can be looked at for nulls. */
  readonly lists: boolean;
  /**
   * The type of a column and its index.
   * @param place what an error names
   * @throws QueryError where no column has this name, or several have.
   */
  use(name: string, place: string): { readonly index: number; readonly type: DataType };
}

/** Finds input columns by name, and notes each that is used once. */
export class Columns implements Names {
  readonly lists = false;
  readonly used: InputColumn[] = [];
  readonly #fields: readonly Field[];
  readonly #places = new Map<string, number[]>();

  constructor(fields: readonly Field[]) {
    this.#fields = fields;
    for (const [index, { name }] of fields.entries()) {
      const places = this.#places.get(name);
      if (places === undefined) this.#places.set(name, [index]);
      else places.push(index);
    }
  }

  /** The type of a column, and its index among those used. */
  use(name: string, place: string): { readonly index: number; readonly type: DataType } {
    const places = this.#places.get(name);
    if (places === undefined)
      throw queryError(place, `unknown column ${JSON.stringify(name)}`, this.#known(name));
    if (places.length > 1) {
      const came = `column ${JSON.stringify(name)}, a name that ${places.length} input columns share`;
      throw queryError(place, came, 'a name that one column has');
    }
    const [index] = places;
    const { type } = this.#fields[index];
    const known = this.used.findIndex((column) => column.index === index);
    if (known >= 0) return { index: known, type };
    this.used.push(Object.freeze({ name, type, index }));
    return { index: this.used.length - 1, type };
  }

  #known(name: string): string {
    return knownNames(name, [...this.#places.keys()], 'a column, but the input has none');
  }
}

/** The columns of an answer, by their names, each its own. */
export class OutputColumns implements Names {
  readonly lists = true;
  readonly #output: readonly Field[];

  constructor(output: readonly Field[]) {
    this.#output = output;
  }

  use(name: string, place: string): { readonly index: number; readonly type: DataType } {
    const index = this.#output.findIndex((field) => field.name === name);
    if (index >= 0) return { index, type: this.#output[index].type };
    const names = this.#output.map((field) => field.name);
    const wanted = knownNames(name, names, 'an output column, but the answer has none');
    throw queryError(place, `unknown output column ${JSON.stringify(name)}`, wanted);
  }
}

/** The names that there are, in the words of an error, and which of them was meant. */
function knownNames(name: string, names: readonly string[], none: string): string {
  if (names.length === 0) return none;
  const listed = names.slice(0, LISTED).map((known) => JSON.stringify(known));
  if (names.length > LISTED) listed.push(`${names.length - LISTED} more`);
  const meant = nearest(name, names);
  const delimiter = otherDelimiter(names);
  const hint =
    delimiter !== undefined
      ? `; or, of a text, the delimiter ${JSON.stringify(delimiter)}`
      : meant === undefined
        ? ''
        : `; is it ${JSON.stringify(meant)}?`;
  return `one of ${listed.join(', ')}${hint}`;
}

/** Names that an error lists; a table of a thousand columns must not fill the screen. */
const LISTED = 20;
