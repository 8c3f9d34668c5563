import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One import of a source file. */
export interface Import {
  /** The file that imports, as `core/check.ts`. */
  readonly from: string;
  /** A file of src in the same form, or the name of a package. */
  readonly to: string;
  /**
   * `type`: gone once compiled (`import type`; one that marks its items as types instead is kept, and run). `load`: run
   * when the file is loaded. `later`: `import()`. `thread`: the URL of a module that a thread begins with.
   */
  readonly when: 'type' | 'load' | 'later' | 'thread';
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const slashed = (path: string): string => path.split(sep).join('/');

/** The files below a folder of the project, with their text. */
export function filesBelow(folder: string, ending: string): ReadonlyMap<string, string> {
  const top = join(ROOT, folder);
  return new Map(
    readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [slashed(relative(top, path)), readFileSync(path, 'utf8')]),
  );
}

const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//g;
const LINE_COMMENT = /(?<![:'"`])\/\/.*$/gm;

/** A source text without its comments. (No string of the sources holds the beginning of one, but for URLs.) */
export function code(text: string): string {
  return text.replace(BLOCK_COMMENT, '').replace(LINE_COMMENT, '');
}

const STATIC = /^(import|export)\b(\s+type\b)?(?:[^'";]*?\bfrom)?\s*'([^']+)'/gm;
const LATER = /\bimport\(\s*'([^']+)'\s*\)/g;
const THREAD = /new URL\(\s*'(\.[^']+\.js)'\s*,\s*import\.meta\.url\s*\)/g;

/** The imports of one file. */
export function importsOf(from: string, text: string): Import[] {
  const source = code(text);
  const to = (target: string): string => (target.startsWith('.') ? resolve(from, target) : target);
  const found = (when: Import['when'], target: string): Import => ({ from, to: to(target), when });
  return [
    ...[...source.matchAll(STATIC)].map(([, , type, target]) =>
      found(type === undefined ? 'load' : 'type', target),
    ),
    ...[...source.matchAll(LATER)].map(([, target]) => found('later', target)),
    ...[...source.matchAll(THREAD)].map(([, target]) => found('thread', target)),
  ];
}

function resolve(from: string, target: string): string {
  const path = slashed(normalize(join(dirname(from), target)));
  // kernels, compiled by another compiler, name files without an ending
  return path.endsWith('.js') ? path.replace(/\.js$/, '.ts') : `${path}.ts`;
}

/** Every import of src. */
export function importsOfSource(): Import[] {
  return [...filesBelow('src', '.ts')].flatMap(([file, text]) => importsOf(file, text));
}

/** The files that a file loads when it is loaded itself, it included. */
export function loadedBy(file: string, imports: readonly Import[]): Set<string> {
  const loaded = new Set([file]);
  for (const from of loaded) {
    for (const { to } of imports.filter((one) => one.from === from && one.when === 'load')) {
      loaded.add(to);
    }
  }
  return loaded;
}
