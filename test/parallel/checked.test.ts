import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTROL_SIZE, GUARD } from '../../dist/parallel/kernels/layout.js';
import { checked } from '../checked/accesses.mjs';
import { createThread } from '../support/in-process-run.js';

const isChecked = GUARD > 0;
if (!isChecked)
  console.log('skipped: that kernels trap outside their blocks, which they do in test:checked only');

const UNIT = 64;

describe('a kernel', () => {
  it('has no access to memory that the checked build would not look at', () => {
    const folder = new URL('../../src/parallel/kernels/', import.meta.url);
    const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'checked.ts');
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) checked(readFileSync(new URL(name, folder), 'utf8'), name);
    expect(() => checked('v128.load_lane<i64>(at, x, 0);', 'new.ts')).toThrow('got v128.load_lane');
  });
});

describe.skipIf(!isChecked)('a kernel of the checked build', () => {
  it('takes what lies in blocks, up to their last unit', async () => {
    const { memory, kernels } = await createThread();
    const [source, out] = [memory.allocateZeroed(8 * 8), memory.allocateZeroed(8 * 8)];
    memory.words[source / 4] = 7;
    kernels.encode(7, source, out, 8);
    expect(memory.words[out / 4]).toBe(7);
  });

  it.each([
    ['reads behind a block', (at: number, end: number) => [end, at]],
    ['reads across the end of a block', (at: number, end: number) => [end - 8, at]],
    ['writes behind a block', (at: number, end: number) => [at, end]],
    ['reads at no address', (at: number) => [0, at]],
    ['writes to the control block', (at: number) => [at, CONTROL_SIZE - UNIT]],
  ])('traps where it %s', async (_, place) => {
    const { memory, kernels } = await createThread();
    const at = memory.allocateZeroed(8 * 8);
    memory.allocateZeroed(8 * 8);
    const [source, out] = place(at, at + UNIT);
    expect(() => kernels.encode(7, source, out, 8)).toThrow('unreachable');
  });

  it('traps behind all blocks, and in a guard of its own after others were given up', async () => {
    const { memory, kernels } = await createThread();
    const mark = memory.used;
    const first = memory.allocateZeroed(8 * 8);
    expect(() => kernels.encode(7, first, memory.used, 8)).toThrow('unreachable');
    memory.release(mark);
    const at = memory.allocateZeroed(40 * UNIT);
    // where the guard of the block before was
    kernels.encode(7, at, at + UNIT, 8);
    expect(() => kernels.encode(7, at, at + 40 * UNIT, 8)).toThrow('unreachable');
  });
});
