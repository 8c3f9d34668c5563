/**
 * Where things lie in kernel memory. Read by the kernels and by the TypeScript around them, so it holds plain
 * numbers only. Offsets and sizes are in bytes.
 */

/** Rows that the kernels work on at a time: encoded keys and values of a block stay in the first cache. */
export const BLOCK = 2048;

/** Bytes of records that are near enough, in the cores' own caches, not to be loaded ahead of their use (see touch.ts). */
export const NEAR = 1 << 21;

/** The control block at the bottom of kernel memory; one cache line a field, since all workers write them. */
export const CONTROL_CLAIM = 64;
export const CONTROL_CANCEL = 128;
export const CONTROL_BUMP = 192;
export const CONTROL_ROWS = 256; // i64: rows folded so far
export const CONTROL_TOP = 320; // in units: blocks of tasks end below
export const CONTROL_HELD = 384; // in units: tables that are held lie above
export const CONTROL_LIMIT = 448; // in units: what a run may use at most; 0: all there is
/** Units that stand between two blocks. The checked build has one: its kernels trap where they touch it. */
export const GUARD = 0;
/** In the checked build, a bit for each unit of memory: set where it is a guard. */
export const GUARDS = 4096;
export const CONTROL_SIZE = GUARDS + GUARD * 0x800000;

/** How a column's values lie in memory. */
export const KIND_I8 = 0;
export const KIND_I16 = 1;
export const KIND_I32 = 2;
export const KIND_I64 = 3;
export const KIND_U8 = 4;
export const KIND_U16 = 5;
export const KIND_U32 = 6;
export const KIND_U64 = 7;
export const KIND_F32 = 8;
export const KIND_F64 = 9;
export const KIND_BIT = 10;
export const KIND_F16 = 11;

/** How texts and other bytes lie in memory. */
export const BYTES_OFFSETS = 0; // offsets of 4 or 8 bytes into one buffer
export const BYTES_FIXED = 1; // all of one width, one after the other
export const BYTES_VIEWS = 2; // views of 16 bytes, into any number of buffers

/** A buffer that views point into: its address less `low`, and the offsets low..high that are there. */
export const BUFFER_BASE = 0;
export const BUFFER_LOW = 4;
export const BUFFER_HIGH = 8;
export const BUFFER_SIZE = 16;

/** How a group's id is found from its key words. */
export const DENSE = 0; // the word is the group's id
export const WORD = 1; // a hash table over one word
export const WORDS = 2; // a hash table over several words

/** A table of groups: one a worker, at the head of the worker's slot. */
export const TABLE_KIND = 0;
export const TABLE_WORDS = 4; // key words at the head of a record; 0 where DENSE
export const TABLE_STRIDE = 8;
export const TABLE_RECORDS = 12;
export const TABLE_GROUPS = 16; // ids given out; DENSE: the capacity
export const TABLE_LIMIT = 20; // ids there is room for
export const TABLE_SLOTS = 24;
export const TABLE_SHIFT = 28; // 64 - log2(homes), of two slots each
export const TABLE_MASK = 32; // slots - 1; and the bits of a slot that hold a number
export const TABLE_ROWS = 36; // offset of the row count in a record
export const TABLE_NUMBER = 40; // the worker's number
export const TABLE_WIDES = 44; // addresses of wide sums, a u32 for each group and grid; 0 where there are none yet
export const WIDE_NEXT = 48; // where the next wide sum goes
export const WIDE_END = 52;
export const TABLE_TICKETS = 56; // tickets given out to groups whose values are logged
export const TABLE_HOMES = 60; // where each group stands in the answer, by id, 8 bytes each: its number in a piece, the piece
export const TABLE_UNSETTLED = 64; // rows added since its moments were settled; see carries.ts
export const FREE = 68; // free blocks of the worker's memory: a list a power of two, 32 lists
export const TABLE_ARENA = 196; // where the table's own memory begins; 0: it takes of everybody's
export const POOLS = 200; // text pools follow, one a text column

/** A text pool: every distinct text of one column that one worker saw. */
export const POOL_ENTRIES = 0;
export const POOL_COUNT = 4;
export const POOL_LIMIT = 8;
export const POOL_SLOTS = 12;
export const POOL_SHIFT = 16;
export const POOL_MASK = 20;
export const POOL_HEAP = 24;
export const POOL_HEAP_END = 28;
export const POOL_SIZE = 32;

/** An entry of a pool: the order word of the first bytes, where the bytes are, how many. */
export const ENTRY_HEAD = 0;
export const ENTRY_BYTES = 8;
export const ENTRY_LENGTH = 12;
export const ENTRY_SIZE = 16;

/** A range of encoded words: the least, and how far the greatest is above it (u64 each). */
export const RANGE_LEAST = 0;
export const RANGE_SPAN = 8;
export const RANGE_SIZE = 16;

/** Where a text may stand among the bounds of a condition; bits. */
export const BOUND_BELOW = 1; // below the first
export const BOUND_EQUAL = 2;
export const BOUND_ABOVE = 4; // above the first, and no bound itself

/** How one key is packed into the key words. */
export const FIELD_BASE = 0; // u64: the least encoded value
export const FIELD_SPAN = 8; // u64: the greatest encoded value minus the least
export const FIELD_NULL_CODE = 16; // u64
export const FIELD_NUDGE = 24; // added to every value's code: 1 where nulls take code 0
export const FIELD_WORD = 28;
export const FIELD_SHIFT = 32;
export const FIELD_MASK = 40; // u64
export const FIELD_FLIP = 48; // 1: descending
export const FIELD_NULLS = 52; // NULLS_*
export const FIELD_NULL_WORD = 56; // where NULLS_APART
export const FIELD_NULL_SHIFT = 60;
export const FIELD_NULL_FIRST = 64;
export const FIELD_SETS = 68; // 1: no field before it writes to its word
export const FIELD_NULL_SETS = 72;
export const FIELD_SIZE = 80;
export const NULLS_NONE = 0; // a null is a misfit
export const NULLS_CODED = 1; // a null is a code of its own
export const NULLS_APART = 2; // a null is a bit of its own, and its code is 0

/** Neighbouring encoded values of which the buckets follow one rule: all are in one, or one begins every so many. */
export const PIECE_FROM = 0; // u64: the least of them
export const PIECE_SPAN = 8; // u64: the greatest minus the least
export const PIECE_EVERY = 16; // u64; 0: all are in one bucket
export const PIECE_INVERSE = 24; // f64: 1 / every
export const PIECE_START = 32; // u64: what the first bucket makes
export const PIECE_STEP = 40; // u64: and the next is more by
export const PIECE_WRONG = 48; // 1: the type cannot hold the start of the one bucket
export const PIECE_SIZE = 56;

/** A step of comparing two groups: bits of a key word, or a text. */
export const SEGMENT_TEXT = 0; // 0: bits; 1: text
export const SEGMENT_WORD = 4;
export const SEGMENT_SHIFT = 8;
export const SEGMENT_POOL = 12; // offset of the pool in a table
export const SEGMENT_MASK = 16; // u64
export const SEGMENT_FLIP = 24;
export const SEGMENT_NULL_FIRST = 28;
export const SEGMENT_SIZE = 32;

/** One state of a record when two records are merged. */
export const MERGE_OP = 0;
export const MERGE_OFFSET = 4;
export const MERGE_POOL = 8;
export const MERGE_FLIP = 12;
export const MERGE_GRID = MERGE_POOL; // of ADD_FLOAT: which of the record's wide sums
export const MERGE_GRIDS = MERGE_FLIP; // and how many there are
export const MERGE_WORDS = MERGE_POOL; // of ADD_WORDS and MERGE_BEST: words of 64 bits
export const MERGE_SIZE = 16;
export const ADD64 = 0;
export const ADD128 = 1;
export const ADD_UNSIGNED128 = 2;
export const ADD_FLOAT = 3;
export const MAX64 = 4;
export const MAX_TEXT = 5;
export const ADD_WORDS = 6;
export const MAX_ROW = 7;
export const MAX_BY = 8;
export const MAX_BY_TEXT = 9;
export const ADD_MOMENTS = 10;
export const ADD_PAIRS = 11;
export const ADD_NARROW_MOMENTS = 12;
export const ADD_NARROW_PAIRS = 13;
export const ADD_PRODUCTS = 14;
export const KEEP = 15; // nothing to merge
export const MERGE_BEST = 16;

/** A group on its way through split and order: its sort word, its record, its worker. */
export const REF_WORD = 0;
export const REF_RECORD = 8;
export const REF_TABLE = 12;
export const REF_SIZE = 16;

/** A wide sum: flags, a count of additions, then limbs of 32 bits held in 64. */
export const WIDE_FLAGS = 0;
export const WIDE_ADDED = 4;
export const WIDE_LIMBS = 8;
export const WIDE_COUNT = 68;
export const WIDE_SIZE = 552;
export const WIDES_NEAR = 256; // rows whose wide sums are loaded ahead together, of which each has three lines
/** A wide sum in a file: its number, then the sum. */
export const SPILLED_WIDE = 560;
export const WIDE_NAN = 1;
export const WIDE_POSITIVE = 2;
export const WIDE_NEGATIVE = 4;

/** How the values of moments are read. */
export const MOMENT_SIGNED = 0;
export const MOMENT_UNSIGNED = 1;
export const MOMENT_FLOAT = 2;

/** Room of the kernels that finish moments. */
export const SPREAD_ROOM = 384;

/** What a quantile takes between two values: both of them, or one. */
export const QUANTILE_BETWEEN = 0;
export const QUANTILE_LOWER = 1;
export const QUANTILE_HIGHER = 2;
export const QUANTILE_NEAREST = 3;

/** Words are counted where fewer lie between the least and the greatest; a count is 4 bytes. */
export const TALLIED = 65536;

/** The moments of a column: its sum in limbs of 16 bytes, the sum of its squares in 32, then the rest of both, 16 each; see carries.ts. */
export const MOMENT_SQUARES = 16;
export const MOMENT_REST = 48;
export const MOMENT_SIZE = 80;
/** Those of two columns: their sums, the sum of their products, the sums of their squares, then the rests in this order. */
export const PAIR_PRODUCTS = 32;
export const PAIR_SQUARES = 64;
export const PAIR_REST = 128;
export const PAIR_SIZE = 208;
/** The same without squares. */
export const PRODUCT_REST = 64;
export const PRODUCT_SIZE = 112;
/** Rows after which a table's limbs are settled: each is below 2^62 then, so that those of two tables can be added. */
export const LIMB_ROWS = 0x10000000;
/** The same of narrow integers: a sum of 8 bytes, sums of squares and of products of 16. */
export const NARROW_SQUARES = 8;
export const NARROW_SIZE = 24;
export const NARROW_PRODUCTS = 48;
export const NARROW_PAIR_SIZE = 64;

/** In a logged ticket: the value is null. */
export const LOGGED_NULL = 0x80000000;
