import { TALLIED } from './kernels/layout.js';
import type { Kernels } from './kernels.js';
import type { KernelMemory } from './memory.js';
import type { GatherProgram } from './program.js';
import type { GatherWork } from './protocol.js';

/** The words of all groups of a range, those of each group together and in row order. Addresses. */
export interface GatheredWords {
  readonly words: number;
  /** Where each group's words begin, in words (u32 each), and at the end how many there are. */
  readonly starts: number;
  readonly count: number;
  /** A byte a word, 1 for a null; 0 where no nulls are gathered. */
  readonly nulls: number;
  /** The entries of ranks (u32 each), 0 where words are no ranks. */
  readonly entries: number;
}

/** What a range gathers, put group by group when it is first asked for. */
export class Gathered {
  private readonly known: (GatheredWords | undefined)[] = [];
  private readonly memory: KernelMemory;
  private readonly kernels: Kernels;
  private readonly programs: readonly GatherProgram[];
  private readonly works: readonly GatherWork[];
  private readonly groups: number;
  /** Room to sort the words of one group: how many fit, and where it is. */
  private most = 0;
  private spare = 0;
  private histogram = 0;

  constructor(
    memory: KernelMemory,
    kernels: Kernels,
    programs: readonly GatherProgram[],
    works: readonly GatherWork[],
    groups: number,
  ) {
    this.memory = memory;
    this.kernels = kernels;
    this.programs = programs;
    this.works = works;
    this.groups = groups;
  }

  /** The words of one of the program's gathers. Whoever asks for words that compare may put those of a group in another order. */
  of(gather: number): GatheredWords {
    let words = this.known[gather];
    if (words === undefined) {
      words = this.place(this.works[gather], this.programs[gather].nulls);
      this.known[gather] = words;
    }
    return words;
  }

  private place({ rows, entries }: GatherWork, keepsNulls: boolean): GatheredWords {
    const { memory, kernels, groups } = this;
    const starts = memory.allocateZeroed(4 * (groups + 1));
    for (const { places, rows: n } of rows) kernels.countPlaces(places, n, starts);
    const count = kernels.startPlaces(starts, groups);
    memory.words[starts / 4 + groups] = count;
    this.makeRoom(starts);
    const cursors = memory.allocate(4 * (groups + 1));
    memory.bytes.copyWithin(cursors, starts, starts + 4 * groups);
    const out = memory.allocate(8 * count);
    const nulls = keepsNulls ? memory.allocateZeroed(count) : 0;
    for (const { places, words, rows: n } of rows) {
      memory.heed();
      kernels.placeRows(places, words, n, cursors, out, nulls);
    }
    return { words: out, starts, count, nulls, entries };
  }

  /** Room to sort the words of any one group of those that were asked for. */
  get room(): { readonly spare: number; readonly histogram: number } {
    const { spare, histogram } = this;
    return { spare, histogram };
  }

  private makeRoom(starts: number): void {
    const { words } = this.memory;
    let most = 0;
    for (let at = starts / 4; at < starts / 4 + this.groups; at++) {
      most = Math.max(most, words[at + 1] - words[at]);
    }
    if (most <= this.most) return;
    this.most = most;
    this.spare = this.memory.allocate(8 * most);
    this.histogram ||= this.memory.allocate(4 * TALLIED);
  }
}
