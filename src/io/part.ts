import { inputError } from '../core/errors.js';
import type { ReadPart } from '../core/source.js';
import type { DataType, Field } from '../core/type.js';

/** What a module that reads one format exports. It runs on decoding threads and on an engine's workers. */
export interface PartModule {
  /** Reads what an input is made of; `data` is plain. @throws InputError */
  readonly describe: (data: never) => Description | Promise<Description>;
  readonly read: ReadPart;
}

/** What an input is made of. Plain data. */
export interface Description {
  readonly fields: readonly Field[];
  /** In row order; `data` is what `read` takes. */
  readonly parts: readonly { readonly data: unknown; readonly rows?: number }[];
  /** Rows in all, where known without reading them. */
  readonly rows?: number;
  /** About how many, where they are not known. */
  readonly approximateRows?: number;
}

/**
 * Where the wanted names stand among all names. Of several columns of one name, the first time it is asked for means
 * the first of them, the second time the second.
 * @throws InputError where there is no such column.
 */
export function indicesOf(names: readonly string[], wanted: readonly string[], place: string): number[] {
  const last = new Map<string, number>();
  return wanted.map((name) => {
    const index = names.indexOf(name, (last.get(name) ?? -1) + 1);
    if (index === -1) {
      const there = names.map((it) => JSON.stringify(it)).join(', ');
      throw inputError(place, `no column ${JSON.stringify(name)}`, `one of ${there}`);
    }
    last.set(name, index);
    return index;
  });
}

/** Whether columns of this type can be read; others can be described only. */
export function isReadable(type: DataType): boolean {
  return type.kind === 'dictionary' ? isReadable(type.value) : type.kind !== 'other' && type.kind !== 'list';
}
