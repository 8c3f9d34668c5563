/**
 * A ClickHouse server in a process of its own: `node.mjs CONFIG`. The library is made for queries inside a program, but its command line
 * can be told to listen, and a SELECT that sleeps for a month keeps it. It ends with the process that started it.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const { DataType, load, open } = require('ffi-rs');
const path = join(dirname(require.resolve('@chdb/lib-linux-x64-gnu/package.json')), 'libchdb.so');
const statements = [
  'SYSTEM START LISTEN TCP',
  'SYSTEM START LISTEN HTTP',
  'SELECT sleepEachRow(3) FROM numbers(1000000) SETTINGS max_block_size = 1 FORMAT Null',
];
const words = ['clickhouse', `--config-file=${process.argv[2]}`, '--query', statements.join('; ')];

// The library has no way out of a query that runs, and nothing that needs one.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
open({ library: 'chdb', path });
await load({
  library: 'chdb',
  funcName: 'query_stable_v2',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [words.length, words],
  runInNewThread: true,
});
