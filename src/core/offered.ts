import type { DataType } from './type.js';

type Kind = DataType['kind'];

/** What this version reads, of all that the rules define: every type that stands here works as a key and in every aggregate that it allows. */
const OFFERED: { readonly [K in Kind]?: (type: Extract<DataType, { kind: K }>) => boolean } = {
  bool: () => true,
  int: () => true,
  float: (type) => type.bits > 16,
  utf8: (type) => type.form === 'plain',
  date: () => true,
  timestamp: () => true,
  dictionary: (type) => type.value.kind === 'utf8' && type.value.form === 'plain',
};

export const OFFERED_TYPES =
  'Bool, Int8 to Int64, Uint8 to Uint64, Float32, Float64, Utf8, Date32, Date64, Timestamp or a Dictionary of Utf8';

/** Whether every engine reads columns of this type. */
export function isOffered(type: DataType): boolean {
  const test = OFFERED[type.kind] as ((type: DataType) => boolean) | undefined;
  return test?.(type) ?? false;
}

/** Properties of a query that the rules define and this version does not do yet. */
export const LATER_PROPERTIES: readonly string[] = ['where', 'having', 'sort', 'limit'];
