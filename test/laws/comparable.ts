import type { Comparable } from 'rangefold';
import type { Kind, Raw } from './kind.js';
import { floatOfBits, halfOfBits } from './number-kinds.js';

const PER_SECOND: Readonly<Record<string, bigint>> = {
  s: 1n,
  ms: 1000n,
  us: 1_000_000n,
  ns: 1_000_000_000n,
};
/** Days of the years 1 to 9999, which ISO 8601 writes without a sign. */
const [FIRST_DAY, LAST_DAY] = [-719_162n, 2_932_896n];
const DAY = 86_400n;

/** What a condition compares a column of a kind with to mean a value; undefined where it has no words for it. */
export function comparableOf({ name, entry }: Kind, raw: Raw): Comparable | undefined {
  if (entry !== undefined) return comparableOf(entry, raw);
  const [, type, detail = ''] = /^([a-z_]+)\d*(?:[[(](.*)[\])])?$/.exec(name) ?? ['', ''];
  if (raw instanceof Uint8Array) return name.includes('utf8') ? textOf(raw) : raw;
  if (typeof raw === 'boolean') return type === 'null' ? undefined : raw;
  switch (type) {
    case 'i':
    case 'u':
    case 'duration':
    case 'interval':
      return raw;
    case 'f':
      return name === 'f16' ? halfOfBits(raw) : floatOfBits(raw, name === 'f32' ? 4 : 8);
    case 'decimal':
      return decimalOf(raw, Number(detail.split(',')[1]));
    case 'date':
      return name === 'date32' ? instantOf(raw * DAY, 1n) : instantOf(raw, 1000n);
    case 'timestamp':
      return instantOf(raw, PER_SECOND[detail.split(',')[0]]);
    case 'time':
      return raw >= 0n && raw < DAY * PER_SECOND[detail] ? clockOf(raw, PER_SECOND[detail]) : undefined;
    default:
      return undefined;
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decimalOf(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`;
}

function instantOf(ticks: bigint, perSecond: bigint): string | undefined {
  const seconds = floorDivide(ticks, perSecond);
  const day = floorDivide(seconds, DAY);
  if (day < FIRST_DAY || day > LAST_DAY) return undefined;
  const date = new Date(Number(day) * 86_400_000).toISOString().slice(0, 10);
  return `${date}T${clockOf(ticks - day * DAY * perSecond, perSecond)}`;
}

function clockOf(ticks: bigint, perSecond: bigint): string {
  const seconds = ticks / perSecond;
  const two = (n: bigint): string => String(n).padStart(2, '0');
  const fraction = perSecond === 1n ? '' : `.${String(perSecond + (ticks % perSecond)).slice(1)}`;
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}${fraction}`;
}

function floorDivide(a: bigint, b: bigint): bigint {
  return a / b - (a % b < 0n ? 1n : 0n);
}
