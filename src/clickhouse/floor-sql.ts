import { queryError } from '../core/errors.js';
import type { CheckedKey } from '../core/plan.js';
import { floorDivide } from '../core/real.js';
import { integerLiteral } from './carrier.js';

/** Int256 holds what comes of every value and such a width. */
const WIDEST = 1n << 253n;

/**
 * floor((x - origin) / width) * width + origin, an Int256. The remainder of ClickHouse has the sign of what is divided.
 * @throws QueryError for a width that is too large.
 */
export function floorSql(x: string, width: bigint, origin: bigint, { name }: CheckedKey): string {
  if (width > WIDEST)
    throw queryError(
      `key ${JSON.stringify(name)}, width`,
      `${width}`,
      `at most ${WIDEST} of the column's units`,
    );
  // The same buckets begin at any of their starts.
  const least = origin - floorDivide(origin, width) * width;
  const [w, o] = [integerLiteral(width), integerLiteral(least)];
  const wide = `toInt256(${x})`;
  const rest = `((${wide} - ${o}) % ${w})`;
  return `(${wide} - if(${rest} < 0, ${rest} + ${w}, ${rest}))`;
}
