// Slots, by which groups and texts are found, are 8 bytes: the lower half of a hash, its tag, and in the upper half what is found, counted
// from 1 (0 is an empty slot). The upper bits of a hash are the number of its home. What is not there is in the home's twin, the
// other of the two slots that fill 16 bytes, which lies in the same line (with the next slot in its place one row in eight waited
// for a line of its own), or else in the first free slot behind the two. (10,000,000 rows, one worker, CPU of the fold by turns, next slot and
// twin: 141 and 134 ms for 100,000 int64 keys; 4,000,000 rows of six keys in four words, with tags that are kept: 420 and 335.)

/** The address of a slot's twin. */
export function twinOf(slot: usize): usize {
  return slot ^ 8;
}

/** The number of the slot that is looked at after slot `at`, where what was looked for has its home at `home`. */
export function after(at: u32, home: u32, mask: u32): u32 {
  return at == home ? at ^ 1 : at == (home ^ 1) ? ((at | 1) + 1) & mask : (at + 1) & mask;
}

/** What a slot and its twin say of a tag: the upper half of the slot if it has the tag, else the upper half of the twin. */
export function named(slot: u64, twin: u64, tag: u32): u32 {
  return <u32>(<u32>slot == tag ? slot >> 32 : twin >> 32);
}
