import { join } from 'node:path';
import { DuckDBInstance, version } from '@duckdb/node-api';
import { answer } from '../fresh.mjs';
import { hashOf, measure } from '../spill-measure.mjs';

await answer(async ({ rows, groups, limit, workers, folder }) => {
  const name = `DuckDB ${version()}`;
  const path = join(folder, 'duckdb.csv');
  const measured = measure();
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(workers),
    memory_limit: `${limit}B`,
    temp_directory: join(folder, 'duckdb'),
    preserve_insertion_order: 'false',
  });
  const connection = await instance.connect();
  try {
    await connection.run(`COPY (
      SELECT k, count(*) AS n, sum(v)::BIGINT AS s
      FROM (SELECT (range * 7919) % ${groups} AS k, range AS v FROM range(${rows}))
      GROUP BY k ORDER BY k
    ) TO '${path}' (HEADER, DELIMITER ',')`);
  } catch (error) {
    return { name, error: String(error).split('\n')[0] };
  }
  return { name, ...measured(), hash: await hashOf(path) };
});
