import type { CheckedQuery } from '../core/plan.js';
import { compileColumns } from './compile-columns.js';
import { compileOutputs } from './compile-outputs.js';
import { POOL_SIZE, POOLS } from './kernels/layout.js';
import type { KeyProgram, Program } from './program.js';
import { wordsOfKind } from './storage.js';

/** Compiles a checked query for the workers. Pure. */
export function compileProgram(query: CheckedQuery): Program {
  const { columns, pools } = compileColumns(query);
  const keys = query.keys.map((key): KeyProgram => {
    const { storage } = columns[key.column];
    const text = storage.shape === 'bytes';
    const [least, most] = text ? [0n, 0xffff_ffffn] : wordsOfKind(storage.kind);
    return { column: key.column, descending: key.descending, nullsFirst: key.nullsFirst, text, least, most };
  });
  return {
    columns,
    keys,
    keyTypes: query.keys.map(({ type }) => type),
    where: query.where !== undefined,
    ...compileOutputs(query, columns),
    tableSize: POOLS + POOL_SIZE * pools,
  };
}
