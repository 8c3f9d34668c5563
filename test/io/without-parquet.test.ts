import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Int32 } from 'apache-arrow';
import { expect, it } from 'vitest';
import { column, createFolder, parquetOf, tableOf } from '../support/files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const write = createFolder();

/** The package beside all that it needs, but for the one that may be left out. */
function packageWithout(folder: string): string {
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['apache-arrow', 'commander', 'piscina', 'zstddec']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  return join(folder, 'dist/cli/main.js');
}

it('only Parquet is missing where parquet-wasm is not installed, and it is said what to install', () => {
  const csv = write('rows.csv', 'k\n1\n1\n2\n');
  const file = write('rows.parquet', parquetOf(tableOf({ k: column(new Int32(), [1, 1, 2]) })));
  const main = packageWithout(dirname(csv));
  const rangefold = (...parameters: string[]): (string | number | null)[] => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...parameters, '--by', 'k'], {
      encoding: 'utf8',
    });
    return [status, stdout, stderr];
  };
  const wanted = 'wanted the optional package parquet-wasm, as by npm install parquet-wasm\n';
  expect(rangefold(csv, '--format', 'csv')).toEqual([0, 'k,count\n1,2\n2,1\n', '']);
  expect(rangefold(file)).toEqual([1, '', `rangefold: ${file}: got a Parquet file, ${wanted}`]);
  expect(rangefold(csv, '--format', 'parquet')).toEqual([1, '', `rangefold: format: got parquet, ${wanted}`]);
});
