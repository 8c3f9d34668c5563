import { QueryError } from '../core/errors.js';
import type { CheckedQuery } from '../core/plan.js';

/** @throws QueryError where a query asks for what the kernels do not do yet, naming it. */
export function requireOffered(query: CheckedQuery): void {
  const [missing] = missingOf(query);
  if (missing === undefined) return;
  throw new QueryError(`${missing} is not offered by the parallel engine yet; createReference() answers it`, {
    parameter: missing,
  });
}

function missingOf({ sets, keys }: CheckedQuery): string[] {
  const missing: string[] = [];
  if (sets !== undefined) missing.push('grouping sets');
  for (const { name, bucket } of keys) {
    if (bucket?.kind === 'number') missing.push(`key ${JSON.stringify(name)}, bucket`);
    if (bucket?.kind === 'time') missing.push(`key ${JSON.stringify(name)}, timeBucket`);
  }
  return missing;
}
