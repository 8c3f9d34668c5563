/** A seeded bug: one text of one file replaced by another. */
export interface Mutant {
  readonly name: string;
  /** A file of dist, or the source of a kernel. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly text: string;
  readonly becomes: string;
  /** The law that is run first, since it is the likeliest to see the bug. */
  readonly law: Law;
  /** Left to the long tests, which have the time. */
  readonly long?: true;
}

/** The laws of probe.ts, by name. */
export type Law =
  | 'split'
  | 'answers'
  | 'hard scenes'
  | 'floats'
  | 'conditions'
  | 'choices'
  | 'keys'
  | 'coarse sums'
  | 'many rows';

const SIGN = 'const sign = i64x2.splat(i64.MIN_VALUE);';

/** A kernel as it is. */
export const UNCHANGED: Mutant = {
  name: 'none',
  file: 'parallel/kernels/load.ts',
  text: SIGN,
  becomes: SIGN,
  law: 'split',
};

/** Bugs that the laws must see. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'split: a boundary of slots off by one',
    file: 'parallel/split.js',
    text: 'from: Math.floor((range * ids) / cuts)',
    becomes: 'from: Math.floor((range * ids) / cuts) + (range > 0 ? 1 : 0)',
    law: 'split',
  },
  {
    name: 'split: pieces overlap by a group',
    file: 'parallel/order-task.js',
    text: 'at += REF_SIZE * length;\n        return piece;',
    becomes: 'at += REF_SIZE * Math.max(0, length - 1);\n        return piece;',
    law: 'split',
    long: true,
  },
  {
    name: 'split: ranges are never found uneven',
    file: 'parallel/order.js',
    text: '!isLawful(pieces.map(({ length }) => length))',
    becomes: 'false',
    law: 'split',
  },
  {
    name: 'split: a moved border loses a group',
    file: 'parallel/plan.js',
    text: 'at: at + taken * size',
    becomes: 'at: at + (taken > 0 ? taken - 1 : 0) * size',
    law: 'answers',
    long: true,
  },
  {
    name: 'order: the highest byte is not sorted',
    file: 'parallel/kernels/sort.ts',
    text: 'shift < 64; shift += 8',
    becomes: 'shift < 56; shift += 8',
    law: 'answers',
    long: true,
  },
  {
    name: 'order: texts are compared without their lengths',
    file: 'parallel/kernels/text.ts',
    text: 'return lengthA == lengthB ? 0 : lengthA < lengthB ? -1 : 1;',
    becomes: 'return 0;',
    law: 'hard scenes',
  },
  {
    name: 'order: null texts stand at the other end',
    file: 'parallel/segments.js',
    text: 'segment.nullsFirst ? 1 : 0',
    becomes: 'segment.nullsFirst ? 0 : 1',
    law: 'hard scenes',
  },
  {
    name: 'keys: null keys beside values stand at the other end',
    file: 'parallel/write-fields.js',
    text: 'view.setUint32(o + FIELD_NULL_FIRST, first ? 1 : 0, true)',
    becomes: 'view.setUint32(o + FIELD_NULL_FIRST, first ? 0 : 1, true)',
    law: 'answers',
    long: true,
  },
  {
    name: 'keys: the code of null is that of the greatest value',
    file: 'parallel/write-fields.js',
    text: 'first ? 0n : field.span + 1n',
    becomes: 'first ? 0n : field.span',
    law: 'answers',
  },
  {
    name: 'keys: the bits of a slice are read from its byte',
    file: 'parallel/place.js',
    text: 'bit: bits & 7,',
    becomes: 'bit: 0,',
    law: 'answers',
    long: true,
  },
  {
    name: 'keys: buckets begin at multiples of their width, wherever they are to begin',
    file: 'parallel/kernels/bucket.ts',
    text: 'quotient(into, every, inverse)',
    becomes: 'quotient(word, every, inverse)',
    law: 'keys',
  },
  {
    name: 'keys: a start that the type cannot hold is let pass',
    file: 'parallel/key-buckets.js',
    text: '(start < least || start > most)',
    becomes: 'false',
    law: 'keys',
    long: true,
  },
  {
    name: 'count: rows are not counted beside a sum',
    file: 'parallel/kernels/count.ts',
    text: 'store<u64>(slot, load<u64>(slot) + 1);\n    store<i64>(slot + lane',
    becomes: 'store<i64>(slot + lane',
    law: 'answers',
    long: true,
  },
  {
    name: 'sets: a wide sum is shared with the group that it is merged from',
    file: 'parallel/kernels/coarsen.ts',
    text: 'if (!crosses && (slot == 0 || load<u32>(slot) == 0)) continue;',
    becomes: 'if (!crosses) continue;',
    law: 'keys',
    long: true,
  },
  {
    name: 'sets: pairs of floats are never emptied while groups merge',
    file: 'parallel/kernels/coarsen.ts',
    text: 'if (crosses) empty(table, into, words, merges, mergeCount);',
    becomes: '',
    law: 'coarse sums',
  },
  {
    name: 'fold: every other morsel of a worker is left out',
    file: 'parallel/dealt.js',
    text: 'next + workers',
    becomes: 'next + 2 * workers',
    law: 'split',
    long: true,
  },
  {
    name: 'fold: the wide sum of a group is lost where its table moves',
    file: 'parallel/relayout-task.js',
    text: 'from.words, program.grids',
    becomes: 'from.words, 0',
    law: 'answers',
    long: true,
  },
  {
    name: 'merge: a partial group is dropped',
    file: 'parallel/kernels/merge.ts',
    text: 'mergeRecords(own, ownTable, record, <usize>(table & ~SAME), merges, mergeCount);',
    becomes: '',
    law: 'answers',
  },
  {
    name: 'merge: a partial slot is dropped',
    file: 'parallel/kernels/merge.ts',
    text: 'mergeRecords(first, firstTable, record, table, merges, mergeCount);',
    becomes: '',
    law: 'answers',
    long: true,
  },
  {
    name: 'merge: the last state is left out',
    file: 'parallel/order-task.js',
    text: 'const mergeCount = program.states.length + 1;',
    becomes: 'const mergeCount = Math.max(1, program.states.length);',
    law: 'answers',
    long: true,
  },
  {
    name: 'merge: a carry between partial sums is ignored',
    file: 'parallel/kernels/merge.ts',
    text: 'high += x < 0 ? -1 : 1',
    becomes: 'high += 0',
    law: 'hard scenes',
    long: true,
  },
  {
    name: 'sum: the carry is ignored',
    file: 'parallel/kernels/sum.ts',
    text: 'load<i64>(slot, 8) + (x < 0 ? -1 : 1)',
    becomes: 'load<i64>(slot, 8)',
    law: 'hard scenes',
  },
  {
    name: "sum: a pair's low part is dropped",
    file: 'parallel/kernels/sum.ts',
    text: 'f64x2.replace_lane(f64x2.splat(hi), 1, x - hi)',
    becomes: 'f64x2.replace_lane(f64x2.splat(hi), 1, 0)',
    law: 'floats',
  },
  {
    name: 'sum: a wide sum rounds every tie up',
    file: 'parallel/kernels/wide.ts',
    text: '((mantissa & 1) != 0 || anyBelow(limbs, shift - 1))',
    becomes: 'true',
    law: 'floats',
  },
  {
    name: 'sum: wide sums are not merged',
    file: 'parallel/kernels/merge.ts',
    text: 'else wideMerge(<usize>load<u32>(own), <usize>load<u32>(slot));',
    becomes: '',
    law: 'floats',
  },
  {
    name: 'extremes: the least of partial texts is the greatest',
    file: 'parallel/order-task.js',
    text: 'STATES[state.kind].flip ? 1 : 0',
    becomes: '0',
    law: 'hard scenes',
    long: true,
  },
  {
    name: 'conditions: null rows have the values of their slots',
    file: 'parallel/column-test.js',
    text: 'kernels.joinBits(out, this.valid, 0, n);',
    becomes: '',
    law: 'conditions',
  },
  {
    name: 'conditions: what is not false is true',
    file: 'parallel/filter.js',
    text: 'if (!wanted && orUnknown)',
    becomes: 'if (false)',
    law: 'conditions',
    long: true,
  },
  {
    name: 'conditions: not and is and not',
    file: 'parallel/filter.js',
    text: "(condition.kind === 'and') === wanted",
    becomes: "condition.kind === 'and'",
    law: 'conditions',
    long: true,
  },
  {
    name: 'conditions: the greatest word of a range is left out',
    file: 'parallel/kernels/test.ts',
    text: 'const limit = i64x2.splat(<i64>span ^ i64.MIN_VALUE);\n  for',
    becomes: 'const limit = i64x2.splat(<i64>(span - 1) ^ i64.MIN_VALUE);\n  for',
    law: 'conditions',
  },
  {
    name: 'conditions: every NaN is compared by its bits',
    file: 'parallel/kernels/test.ts',
    text: 'v128.bitselect(nan, ordered, f64x2.ne(x, x))',
    becomes: 'ordered',
    law: 'conditions',
    long: true,
  },
  {
    name: 'conditions: the least word of a range is searched for below it',
    file: 'parallel/kernels/test.ts',
    text: 'RANGE_LEAST) <= word) below',
    becomes: 'RANGE_LEAST) < word) below',
    law: 'conditions',
    long: true,
  },
  {
    name: 'conditions: a text above the middle of the bounds is above all',
    file: 'parallel/kernels/test.ts',
    text: 'select<i32>(above, middle + 1, isBelow)',
    becomes: 'select<i32>(above, end, isBelow)',
    law: 'conditions',
    long: true,
  },
  {
    name: 'conditions: the validity of kept rows is that of all',
    file: 'parallel/block.js',
    text: 'this.validity[c] = kept;',
    becomes: '',
    law: 'conditions',
  },
  {
    name: 'conditions: the aggregates of kept rows take those of all',
    file: 'parallel/selection.js',
    text: 'kernels.pickBits(bits, 0, picks, count, bits);',
    becomes: '',
    law: 'conditions',
    long: true,
  },
  {
    name: 'choices: nulls stand at the other end',
    file: 'parallel/kernels/rank.ts',
    text: 'valid ^ first ^ 1)',
    becomes: 'valid ^ first)',
    law: 'choices',
  },
  {
    name: 'choices: texts are sorted upwards only',
    file: 'parallel/rank.js',
    text: 'flip: descending, word',
    becomes: 'flip: false, word',
    law: 'choices',
    long: true,
  },
  {
    name: 'gather: the groups of a range are counted from the first range on',
    file: 'parallel/kernels/log.ts',
    text: 'group - load<u32>(bounds + ((<usize>(range - 1)) << 2))',
    becomes: 'group',
    law: 'answers',
    long: true,
  },
  {
    name: 'gather: a tie of a quantile goes up',
    file: 'parallel/kernels/holistic.ts',
    text: '(low & 1) != 0',
    becomes: 'true',
    law: 'answers',
  },
  {
    name: 'rows: of equals the latest is kept',
    file: 'parallel/kernels/rows.ts',
    text: 'if (equals && key <= load<u64>(slot, 8)) return;',
    becomes: '',
    law: 'answers',
    long: true,
  },
  {
    name: 'moments: what does not fit the scale is forgotten',
    file: 'parallel/fold-moments.js',
    text: 'this.log.escape(state.escapes, block, offsets, listed, count);',
    becomes: ';',
    law: 'answers',
  },
  {
    name: 'moments: what a limb carries is lost when partial groups are added',
    file: 'parallel/kernels/carries.ts',
    text: 'carry = total >> 32;',
    becomes: 'carry = 0;',
    law: 'answers',
  },
  {
    name: 'moments: sums of squares of partial groups are not added',
    file: 'parallel/kernels/merge.ts',
    text: 'mergeProducts(a + MOMENT_SQUARES, a + MOMENT_REST + 16, b + MOMENT_SQUARES, b + MOMENT_REST + 16);',
    becomes: '',
    law: 'answers',
    long: true,
  },
  {
    name: 'spill: the texts of a chunk begin with the second code',
    file: 'parallel/table-loader.js',
    text: 'section(4 * count), section(bytes))',
    becomes: 'section(4 * count) + 4, section(bytes))',
    law: 'answers',
  },
  {
    name: 'spill: rows that were logged belong to the group before theirs',
    file: 'parallel/table-loader.js',
    text: 'placesToTickets(places, rows, groups + 1)',
    becomes: 'placesToTickets(places, rows, groups)',
    law: 'answers',
  },
  {
    name: 'spill: a range begins behind its first group',
    file: 'parallel/load-task.js',
    text: 'const from = low - first;',
    becomes: 'const from = Math.min(low - first + 1, high - first);',
    law: 'answers',
  },
];
