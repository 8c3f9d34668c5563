import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { code, filesBelow, type Import, importsOf, importsOfSource, loadedBy } from './support/imports.js';

const IMPORTS = importsOfSource();
const FILES = filesBelow('src', '.ts');

/** The room that a file of src is in: its first folder; the door stands in none. */
const roomOf = (file: string): string => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file);
/** What is made in the build has its types in a file beside. */
const isFile = (target: string): boolean => FILES.has(target) || FILES.has(target.replace(/\.ts$/, '.d.ts'));
const inKernels = (file: string): boolean => file.startsWith('parallel/kernels/');
const isPackage = ({ to }: Import): boolean => !isFile(to);

const ENGINES = ['reference', 'parallel', 'clickhouse'];

/** `from -> to` of the imports for which `wrong` holds. */
function wrong(forbidden: (one: Import) => boolean): string[] {
  return IMPORTS.filter(forbidden).map(({ from, to }) => `${from} -> ${to}`);
}

/** The files that import a package in the course of a run. */
function importersOf(name: string): string[] {
  return [
    ...new Set(IMPORTS.filter(({ to, when }) => to === name && when !== 'type').map(({ from }) => from)),
  ].toSorted();
}

describe('imports that must never exist', () => {
  it('every import is of a file that is there, or of a package', () => {
    expect(wrong(({ to }) => to.endsWith('.ts') && !isFile(to))).toEqual([]);
    expect(IMPORTS.length).toBeGreaterThan(300);
  });

  it('no engine knows another', () => {
    expect(
      wrong(({ from, to }) => {
        const [a, b] = [roomOf(from), roomOf(to)];
        return ENGINES.includes(a) && ENGINES.includes(b) && a !== b;
      }),
    ).toEqual([]);
  });

  it('core imports no other room', () => {
    expect(
      wrong((one) => roomOf(one.from) === 'core' && !isPackage(one) && roomOf(one.to) !== 'core'),
    ).toEqual([]);
  });

  it('io imports no engine and nothing above it', () => {
    const allowed = ['io', 'core'];
    expect(
      wrong((one) => roomOf(one.from) === 'io' && !isPackage(one) && !allowed.includes(roomOf(one.to))),
    ).toEqual([]);
  });

  it('no engine imports io, cli or the door', () => {
    expect(
      wrong(
        (one) =>
          ENGINES.includes(roomOf(one.from)) &&
          !isPackage(one) &&
          ![roomOf(one.from), 'core'].includes(roomOf(one.to)),
      ),
    ).toEqual([]);
  });

  it('nothing imports cli, and only cli the door', () => {
    expect(wrong(({ from, to }) => roomOf(to) === 'cli' && roomOf(from) !== 'cli')).toEqual([]);
    expect(wrong(({ from, to }) => to === 'index.ts' && roomOf(from) !== 'cli')).toEqual([]);
  });

  it('kernels import nothing outside their folder', () => {
    expect(wrong(({ from, to }) => inKernels(from) && !inKernels(to))).toEqual([]);
  });

  it('what is not a kernel imports of the kernels their layout only', () => {
    expect(
      wrong(({ from, to }) => !inKernels(from) && inKernels(to) && to !== 'parallel/kernels/layout.ts'),
    ).toEqual([]);
  });

  it('piscina is known to the pool only', () => {
    expect(importersOf('piscina')).toEqual(['parallel/pool.ts']);
    expect(wrong(({ from, to }) => to === 'piscina' && from !== 'parallel/pool.ts')).toEqual([]);
  });

  it('the client of ClickHouse is known to the command only: in programs it is the caller who has it', () => {
    expect(wrong(({ from, to }) => to === '@clickhouse/client' && from !== 'cli/cluster.ts')).toEqual([]);
  });

  it('threads are known to the pool, the worker and the decoder only', () => {
    const allowed = ['parallel/pool.ts', 'parallel/worker.ts', 'io/decoder.ts'];
    expect(wrong(({ from, to }) => /^(node:)?worker_threads$/.test(to) && !allowed.includes(from))).toEqual(
      [],
    );
  });

  it('apache-arrow runs only where Arrow objects are taken apart and put together, and in io', () => {
    const allowed = ['clickhouse/groups.ts', 'core/arrow-type.ts', 'core/from-arrow.ts', 'core/to-arrow.ts'];
    const others = importersOf('apache-arrow').filter(
      (file) => !allowed.includes(file) && roomOf(file) !== 'io',
    );
    expect(others).toEqual([]);
  });

  it('nothing that a worker loads is apache-arrow', () => {
    const loaded = loadedBy('parallel/worker.ts', IMPORTS);
    expect(loaded.size).toBeGreaterThan(15);
    expect(loaded).toContain('parallel/kernels/layout.ts');
    expect(loaded).not.toContain('apache-arrow');
  });

  it('of the parts that a worker reads, only those of Arrow load apache-arrow', () => {
    const parts = [...FILES.keys()].filter((file) => /^io\/.*-part\.ts$/.test(file));
    expect(parts.length).toBeGreaterThanOrEqual(3);
    const loading = parts.filter((part) => loadedBy(part, IMPORTS).has('apache-arrow'));
    expect(loading).toEqual(['io/arrow-part.ts']);
  });

  it('src imports nothing of test and bench', () => {
    expect(wrong(({ to }) => to.startsWith('..') || /(^|\/)(test|bench)\//.test(to))).toEqual([]);
  });

  it('there is no circle, type-only imports included', () => {
    // a thread begins with a file, and is none of those that import it
    expect(circles(IMPORTS.filter(({ when }) => when !== 'thread'))).toEqual([]);
  });

  it('every package that is imported is declared, and every one that is declared is imported', () => {
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    ) as Record<string, Record<string, string>>;
    const nameOf = (target: string): string =>
      target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');
    const used = new Set(
      IMPORTS.filter((one) => isPackage(one) && !one.to.startsWith('node:')).map(({ to }) => nameOf(to)),
    );
    const declared = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    expect([...used].toSorted()).toEqual(declared.toSorted());
  });
});

/** Circles among files, each once, as the files along it. */
function circles(imports: readonly Import[]): string[] {
  const next = grouped(imports);
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      found.push([...path.slice(at), file].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return found;
}

function grouped(imports: readonly Import[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  return next;
}

describe('the house', () => {
  it('has no room or folder of another name', () => {
    const folders = new Set(
      [...FILES.keys()].map((file) => file.slice(0, Math.max(0, file.lastIndexOf('/')))),
    );
    expect([...folders].filter((folder) => /(^|\/)(utils?|commons?|helpers?)$/.test(folder))).toEqual([]);
    const rooms = new Set([...FILES.keys()].filter((file) => file.includes('/')).map(roomOf));
    for (const room of rooms) expect(['cli', ...ENGINES, 'io', 'core']).toContain(room);
  });

  it('has no file above 300 lines', () => {
    const long = [...FILES].filter(([, text]) => text.split('\n').length - 1 > 300);
    expect(long.map(([file]) => file)).toEqual([]);
  });

  it('has a door that re-exports and does nothing else', () => {
    const door = code(FILES.get('index.ts') ?? '').replace(/export (type )?\{[^}]*\} from '[^']+';/g, '');
    expect(door.trim()).toBe('');
  });

  it('has named exports only', () => {
    const unnamed = [...FILES].filter(([, text]) => /^export (default\b|\*)/m.test(code(text)));
    expect(unnamed.map(([file]) => file)).toEqual([]);
  });

  it('makes kernel memory in one file', () => {
    const makers = [...FILES].filter(([, text]) => /new WebAssembly\.Memory\b/.test(code(text)));
    expect(makers.map(([file]) => file)).toEqual(['parallel/memory.ts']);
  });

  it('has kernels that allocate nothing, throw nothing and call nothing back', () => {
    const kernels = [...FILES].filter(([file]) => inKernels(file));
    expect(kernels.length).toBeGreaterThan(5);
    for (const [file, text] of kernels) {
      const found = code(text).match(/\bnew\b|\bthrow\b|=>|\bStaticArray\b|\bArray\b|\bstring\b|\b__new\b/g);
      expect([file, found]).toEqual([file, null]);
    }
  });

  it('recognises the objects of any copy of apache-arrow: never by instanceof', () => {
    const names =
      /instanceof (Table|RecordBatch|Schema|Field|Vector|Data|Dictionary|Utf8|Int|Float|Bool|Timestamp|Date_|DataType)\b/;
    expect([...FILES].filter(([, text]) => names.test(code(text))).map(([file]) => file)).toEqual([]);
  });
});

describe('the reading of imports', () => {
  it('sees every form of them', () => {
    const text = `
      // import { no } from './comment.js';
      /* import { no } from './block.js'; */
import a from './a.js';
import {
  b,
  type B,
} from '../b.js';
import type { C } from './c.js';
export { d } from './d.js';
export type { E } from './e.js';
export * from './f.js';
import './g.js';
import * as h from 'node:fs';
import { type I } from './i.js';
export const url = new URL('./k.js', import.meta.url);
const later = await import('./l.js');
`;
    expect(importsOf('core/x.ts', text).map(({ to, when }) => `${when} ${to}`)).toEqual([
      'load core/a.ts',
      'load b.ts',
      'type core/c.ts',
      'load core/d.ts',
      'type core/e.ts',
      'load core/f.ts',
      'load core/g.ts',
      'load node:fs',
      'load core/i.ts',
      'later core/l.ts',
      'thread core/k.ts',
    ]);
  });

  it('finds a circle', () => {
    const edge = (from: string, to: string): Import => ({ from, to, when: 'type' });
    expect(circles([edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'd')])).toEqual([
      'b -> c -> b',
    ]);
    expect(circles([edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')])).toEqual([]);
  });
});

describe('packages', () => {
  const read = (path: string): unknown =>
    JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));

  it('are named by one exact version each', () => {
    const { dependencies, optionalDependencies, devDependencies } = read('package.json') as Record<
      string,
      Record<string, string>
    >;
    const all = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies });
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('that are installed with this one run no script then', () => {
    const { packages } = read('package-lock.json') as {
      packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }>;
    };
    const installed = Object.entries(packages).filter(([, { dev }]) => dev !== true);
    expect(installed.length).toBeGreaterThan(4);
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
  });
});
