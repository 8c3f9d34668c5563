import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Builds } from './builds.js';
import { MUTANTS, UNCHANGED } from './mutants.js';

const isLong = Number(process.env.RANGEFOLD_RUNS) > 1;
const mutants = MUTANTS.filter(({ long }) => isLong || long !== true);
if (!isLong)
  console.log(
    `${MUTANTS.length - mutants.length} of ${MUTANTS.length} seeded bugs are left to the long tests.`,
  );

// Each is a process with threads of its own, which a busy machine may keep waiting.
vi.setConfig({ testTimeout: 600_000 });

const builds = new Builds();
beforeAll(() => builds.compileLaws());
afterAll(() => builds.close());

// each waits for a process of its own
describe.concurrent('the laws', () => {
  // so it is the bugs below which are seen, and not how these builds are made
  it('hold for a build with kernels compiled anew', async () => {
    const { status, output } = await builds.judge(UNCHANGED);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('holds') });
    expect(output).not.toContain('fails');
  });

  it.each(mutants)('see a bug in $name', async (mutant) => {
    const { status, output } = await builds.judge(mutant);
    expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining('fails: ') });
  });
});
