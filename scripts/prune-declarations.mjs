/** Removes the declarations that no entry point of the package reaches: nobody who imports it can see them. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const { exports: entries } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const reached = new Set();
function reach(path) {
  if (reached.has(path)) return;
  reached.add(path);
  for (const [, from] of readFileSync(path, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']*)\.js'/g)) {
    reach(resolve(dirname(path), `${from}.d.ts`));
  }
}
for (const { types } of Object.values(entries)) if (types !== undefined) reach(join(root, types));

for (const path of readdirSync(dist, { recursive: true })) {
  const full = join(dist, path);
  if (path.endsWith('.d.ts') && !reached.has(full)) rmSync(full);
}
