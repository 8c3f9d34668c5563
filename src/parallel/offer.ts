import { QueryError } from '../core/errors.js';
import type { CheckedQuery } from '../core/plan.js';

const OFFERED: readonly string[] = ['count', 'sum', 'mean', 'min', 'max'];

/** @throws QueryError where a query asks for what the kernels do not do yet, naming it. */
export function requireOffered(query: CheckedQuery): void {
  const [missing] = missingOf(query);
  if (missing === undefined) return;
  throw new QueryError(`${missing} is not offered by the parallel engine yet; createReference() answers it`, {
    parameter: missing,
  });
}

function missingOf({ where, having, sort, limit, sets, keys, aggregates }: CheckedQuery): string[] {
  const missing: string[] = [];
  if (where !== undefined) missing.push('query.where');
  if (sets !== undefined) missing.push('grouping sets');
  for (const { name, bucket } of keys) {
    if (bucket?.kind === 'number') missing.push(`key ${JSON.stringify(name)}, bucket`);
    if (bucket?.kind === 'time') missing.push(`key ${JSON.stringify(name)}, timeBucket`);
  }
  for (const { name, function: fn, where: filter } of aggregates) {
    if (!OFFERED.includes(fn)) missing.push(`aggregate ${JSON.stringify(name)}, ${fn}`);
    if (filter !== undefined) missing.push(`aggregate ${JSON.stringify(name)}, option where`);
  }
  if (having !== undefined) missing.push('query.having');
  if (sort.length > 0) missing.push('query.sort');
  if (limit !== undefined) missing.push('query.limit');
  return missing;
}
