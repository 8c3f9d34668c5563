/**
 * Bundles the modules of `dist` into few files, in place: a program that starts finds, reads and links each file by itself. Of the 207
 * that the command needs for a small CSV 36 are left, and what it takes longer than an import of apache-arrow is halved (411 and 205 ms on
 * a busy machine, least of 20 by turns).
 *
 * All but the entry points lie beside each other, for modules look beside themselves for the files that threads begin with.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const modules = readdirSync(dist, { recursive: true }).filter((path) => path.endsWith('.js'));

const entryPoints = ['index.js', join('clickhouse', 'index.js'), join('cli', 'main.js')];
const threads = modules.filter((path) => /^(worker|decoder|.+-part)\.js$/.test(basename(path)));
const entries = [
  ...entryPoints.map((path) => [path.slice(0, -'.js'.length), path]),
  ...threads.map((path) => [basename(path, '.js'), path]),
];

const { output } = await build({
  input: Object.fromEntries(entries.map(([name, path]) => [name, join(dist, path)])),
  external: (id) => !id.startsWith('.') && !isAbsolute(id),
  platform: 'node',
  write: false,
  output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
});

for (const path of modules) rmSync(join(dist, path));
for (const { fileName, code } of output) {
  const path = join(dist, fileName);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
}
renameSync(join(dist, 'parallel', 'kernels.wasm'), join(dist, 'kernels.wasm'));
