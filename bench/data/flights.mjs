import { createRequire } from 'node:module';

/** The path of 3,000,000 real flights, a Parquet file. */
export const FLIGHTS = createRequire(import.meta.url)
  .resolve('vega-datasets')
  .replace(/build.*$/, 'data/flights-3m.parquet');
