import { configDefaults, defineConfig } from 'vitest/config';

/** The seed of continuous integration, where a run must not depend on chance. */
const PINNED = 20_251_130;

const { RANGEFOLD_RUNS = '1', RANGEFOLD_SEED, CI } = process.env;
const seed = Number(RANGEFOLD_SEED ?? (CI ? PINNED : Math.floor(Math.random() * 2 ** 31)));
console.log(
  `Properties run with RANGEFOLD_SEED=${seed}, which repeats them, and RANGEFOLD_RUNS=${RANGEFOLD_RUNS}.`,
);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/clickhouse/cluster/**', ...configDefaults.exclude],
    setupFiles: ['test/support/seed.ts'],
    env: { RANGEFOLD_SEED: String(seed), RANGEFOLD_RUNS },
    testTimeout: 120_000 * Number(RANGEFOLD_RUNS),
    hookTimeout: 60_000,
    // Of tests that wait for processes of their own.
    maxConcurrency: 2,
    maxWorkers: 2,
  },
});
