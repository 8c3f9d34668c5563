import { type Column, isValid } from '../core/column.js';
import { inputError } from '../core/errors.js';

const nanosecondsPerDay = 86_400_000_000_000n;
/** 1970-01-01 in Julian days. */
const epoch = 2_440_588;

/**
 * Timestamps in nanoseconds from a column of INT96: nanoseconds of the day (64 bits), then the Julian day (32 bits).
 * Source: https://github.com/apache/parquet-format/pull/49
 * @throws InputError for a value beyond 64-bit nanoseconds, which end in 1677 and 2262.
 */
export function timestampsOf(int96: Column, place: string): Column {
  const { values, length } = int96;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const out = new BigInt64Array(length);
  for (let row = 0; row < length; row++) {
    if (!isValid(int96, row)) continue;
    const day = view.getInt32(row * 12 + 8, true);
    const value = BigInt(day - epoch) * nanosecondsPerDay + view.getBigInt64(row * 12, true);
    if (value !== BigInt.asIntN(64, value)) {
      throw inputError(
        `${place}, row ${row}`,
        `an INT96 of Julian day ${day}`,
        'a timestamp that 64-bit nanoseconds can hold (1677 to 2262)',
      );
    }
    out[row] = value;
  }
  return {
    ...int96,
    type: { kind: 'timestamp', unit: 'ns', zone: null },
    values: new Uint8Array(out.buffer),
  };
}
