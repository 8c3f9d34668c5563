/** Puts a checked build into dist/: blocks have guards between them, and kernels look before every load and store. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { checked } from './accesses.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KERNELS = join('src', 'parallel', 'kernels');
const CHECKED = 'checked.ts';

function guarded(content, name) {
  const found = content.split('export const GUARD = 0;').length - 1;
  if (found !== 1) throw new Error(`${name}: got ${found} constants GUARD, wanted one of 0`);
  return content.replace('export const GUARD = 0;', 'export const GUARD = 1;');
}

/** A source file as the compiler shall see it; null where there is none. */
function sourceOf(name) {
  const isKernel = dirname(join(name)) === KERNELS;
  try {
    const content = readFileSync(join(ROOT, name), 'utf8');
    if (!isKernel || basename(name) === CHECKED) return content;
    return basename(name) === 'layout.ts' ? guarded(content, name) : checked(content, name);
  } catch (error) {
    // the compiler asks for files at every place where one might be
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return null;
    throw error;
  }
}

const { error, stderr } = await asc.main(['--config', 'asconfig.json'], {
  readFile: sourceOf,
  writeFile: (name, content) => writeFileSync(join(ROOT, name), content),
  listFiles: () => [],
});
if (error !== null) throw new Error(`${error.message}\n${stderr.toString()}`);

const layout = join(ROOT, 'dist', 'parallel', 'kernels', 'layout.js');
writeFileSync(layout, guarded(readFileSync(layout, 'utf8'), layout));
