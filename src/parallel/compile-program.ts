import type { CheckedQuery } from '../core/plan.js';
import { compileColumns } from './compile-columns.js';
import { compileOutputs } from './compile-outputs.js';
import { POOL_SIZE, POOLS } from './kernels/layout.js';
import { keySteps } from './key-steps.js';
import type { KeyProgram, Program } from './program.js';
import { isFloat, wordsOfKind } from './storage.js';

/** Compiles a checked query for the workers. Pure. */
export function compileProgram(query: CheckedQuery): Program {
  const { columns, pools } = compileColumns(query);
  const keys = query.keys.map((key): KeyProgram => {
    const { storage } = columns[key.column];
    const text = storage.shape === 'bytes';
    const { column, descending, nullsFirst, bucket, type } = key;
    const common = { column, descending, nullsFirst, text, ...(bucket !== undefined && { bucket }) };
    if (text) return { ...common, least: 0n, most: 0xffff_ffffn };
    const steps =
      bucket === undefined || isFloat(storage.kind) ? undefined : keySteps(bucket, type, storage.kind);
    if (steps !== undefined) return { ...common, least: 0n, most: steps.most, steps };
    const [least, most] = wordsOfKind(storage.kind);
    return { ...common, least, most };
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
