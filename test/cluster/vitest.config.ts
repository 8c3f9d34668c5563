import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import base from '../../vitest.config.js';
import { isInstalled } from './nodes.mjs';

if (!isInstalled)
  console.warn(
    'The library of ClickHouse is not installed (npm ci in test/cluster; it is there for Linux on x64 with glibc only): the tests of the distributed engine are skipped.',
  );

/** The tests of the distributed engine, on two servers: its own, and those of every engine. */
export default defineConfig({
  ...base,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    ...base.test,
    include: isInstalled
      ? [
          'test/clickhouse/cluster/*.test.ts',
          'test/conformance/{cases,contract,generated,encodings,files}.test.ts',
          'test/laws/{answers,asking,choices,conditions,float-sums,keys}.test.ts',
        ]
      : [],
    exclude: configDefaults.exclude,
    globalSetup: isInstalled ? ['test/cluster/global-setup.ts'] : [],
    env: { ...base.test?.env, RANGEFOLD_ENGINES: 'clickhouse' },
    passWithNoTests: !isInstalled,
  },
});
