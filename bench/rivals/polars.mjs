import { Dictionary, tableFromIPC, tableToIPC } from 'apache-arrow';
import pl from 'nodejs-polars';
import { versionOf } from './version-of.mjs';

const AGGREGATES = {
  count: (column) => (column === undefined ? pl.len() : pl.col(column).count()),
  sum: (column) => pl.col(column).sum(),
  mean: (column) => pl.col(column).mean(),
  min: (column) => pl.col(column).min(),
  max: (column) => pl.col(column).max(),
  median: (column) => pl.col(column).median(),
  stddev: (column) => pl.col(column).std(),
  correlation: (a, b) => pl.pearsonCorr(pl.col(a), pl.col(b)),
};

/**
 * Polars, whose threads are counted by POLARS_MAX_THREADS when it is loaded. It is nodejs-polars 0.24, because the native
 * part of 0.25 needs Node 22.
 */
export async function open(threads) {
  if (process.env.POLARS_MAX_THREADS !== String(threads)) {
    throw new Error(`POLARS_MAX_THREADS: got ${process.env.POLARS_MAX_THREADS}, wanted ${threads}`);
  }
  let plan;
  let frame;
  return {
    name: `Polars (nodejs-polars ${versionOf('nodejs-polars')})`,
    timed: 'lazy().groupBy().agg().sort().collect()',
    async load(table, { by, asks }) {
      frame = pl.readIPC(Buffer.from(tableToIPC(table, 'file')));
      const groups = frame
        .lazy()
        .groupBy(by)
        .agg(...asks.map(expressionOf));
      const coded = table.schema.fields
        .filter(({ type }) => type instanceof Dictionary)
        .map(({ name }) => name);
      // codes have no order of their own
      const texts =
        coded.length === 0 ? groups : groups.withColumns(...coded.map((name) => pl.col(name).cast(pl.Utf8)));
      plan = texts.sort({ by, nullsLast: true });
    },
    async run() {
      await plan.collect();
    },
    async fetch() {
      const table = tableFromIPC((await plan.collect()).writeIPC());
      return table.schema.fields.map((_, i) => table.getChildAt(i));
    },
    async close() {},
  };
}

function expressionOf({ as, of, columns, n }) {
  if (of === 'top') return pl.col(columns[0]).sort({ descending: true }).head(n).alias(as);
  return AGGREGATES[of](...columns).alias(as);
}
