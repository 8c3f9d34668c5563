import { bytesKind, fixedKind } from './bytes-kinds.js';
import { dictionaryKind, type Kind } from './kind.js';
import { bool, decimalKind, floatKind, half, intKind, none } from './number-kinds.js';

const widths = [8, 16, 32, 64];

export const INTS: readonly Kind[] = [
  ...widths.map((bits) => intKind(`i${bits}`, bits, true)),
  ...widths.map((bits) => intKind(`u${bits}`, bits, false)),
];
const floats: readonly Kind[] = [half, floatKind(4), floatKind(8)];
/** Those of fewer digits than their sums may have give answers; of the others some overflow. */
const decimals: readonly Kind[] = [
  decimalKind(32, 9, 2),
  decimalKind(64, 18, 4),
  decimalKind(128, 30, 10),
  decimalKind(128, 38, 0),
  decimalKind(256, 70, 5),
];
const utf8 = bytesKind('utf8', 'offsets');
const utf8View = bytesKind('utf8_view', 'views');
export const TEXTS: readonly Kind[] = [
  utf8,
  bytesKind('large_utf8', 'wide offsets'),
  utf8View,
  dictionaryKind('i8', 1, utf8),
  dictionaryKind('u8', 1, utf8),
  dictionaryKind('i16', 2, utf8View),
  dictionaryKind('i32', 4, utf8),
  dictionaryKind('u32', 4, utf8),
];
const binaries: readonly Kind[] = [
  bytesKind('binary', 'offsets'),
  bytesKind('large_binary', 'wide offsets'),
  bytesKind('binary_view', 'views'),
  fixedKind(1),
  fixedKind(3),
  fixedKind(16),
];
const times: readonly Kind[] = [
  intKind('date32', 32, true, 'other'),
  intKind('date64', 64, true, 'other'),
  ...['time32[s]', 'time32[ms]', 'interval'].map((name) => intKind(name, 32, true, 'other')),
  ...['time64[us]', 'time64[ns]'].map((name) => intKind(name, 64, true, 'other')),
  ...['s', 'ms', 'us,UTC', 'ns'].map((unit) => intKind(`timestamp[${unit}]`, 64, true, 'other')),
  ...['s', 'ns'].map((unit) => intKind(`duration[${unit}]`, 64, true, 'duration')),
];
const dictionaries: readonly Kind[] = [
  dictionaryKind('i64', 8, intKind('i32', 32, true)),
  dictionaryKind('u16', 2, floatKind(8)),
  dictionaryKind('i8', 1, decimalKind(128, 30, 10)),
  dictionaryKind('u32', 4, fixedKind(3)),
  dictionaryKind('u64', 8, bool),
  dictionaryKind('i32', 4, intKind('timestamp[us,UTC]', 64, true, 'other')),
];

/** Every type that can be a key. */
export const KINDS: readonly Kind[] = [
  none,
  bool,
  ...INTS,
  ...floats,
  ...decimals,
  ...TEXTS,
  ...binaries,
  ...times,
  ...dictionaries,
];
