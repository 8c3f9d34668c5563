import { QueryError } from '../core/errors.js';
import type { CheckedQuery } from '../core/plan.js';

const OFFERED: readonly string[] = ['count', 'sum', 'mean', 'min', 'max', 'every', 'some'];

/** @throws QueryError where a query asks for what the kernels do not do yet, naming it. */
export function requireOffered(query: CheckedQuery): void {
  const [missing] = missingOf(query);
  if (missing === undefined) return;
  throw new QueryError(`${missing} is not offered by the parallel engine yet; createReference() answers it`, {
    parameter: missing,
  });
}

function missingOf({ aggregates }: CheckedQuery): string[] {
  const missing: string[] = [];
  for (const { name, function: fn } of aggregates) {
    if (!OFFERED.includes(fn)) missing.push(`aggregate ${JSON.stringify(name)}, ${fn}`);
  }
  return missing;
}
