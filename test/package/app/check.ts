// Compiled only: the types of the package as a user's compiler sees them.
import type { Float64, Int64, Table } from 'apache-arrow';
import { type Aggregator, count, createParallel, mean, open, type Source } from 'rangefold';

const engine: Aggregator = createParallel({ workers: 2 });
const source: Source = await open('x.csv');
const { table } = await engine.aggregate(source, { by: ['k'], aggregates: { n: count(), m: mean('v') } });
const n: Int64 | undefined = table.getChild('n')?.type;
const m: Float64 | undefined = table.getChild('m')?.type;
// @ts-expect-error: the answer has no such column
table.getChild('x');
const whole: Table = table;
console.log(n, m, whole);
