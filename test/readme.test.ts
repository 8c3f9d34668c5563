import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, follow, packagesOf, workplace } from './support/blocks.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((path) =>
  path.endsWith('.md'),
);
/** Packages that are not installed here: what imports them is run by test/interop. */
const elsewhere = Object.keys(
  (JSON.parse(read('test/interop/package.json')) as { dependencies: Record<string, string> }).dependencies,
);

/** Where the reader of a page works, with the flights beside the program. Within the package, so that it knows its name. */
let folder: string;

beforeAll(() => {
  folder = workplace(mkdtempSync(join(root, 'test/.docs-')), join(root, 'dist/cli/main.js'));
  const flights = createRequire(import.meta.url)
    .resolve('vega-datasets')
    .replace(/build.*$/, 'data/flights-3m.parquet');
  symlinkSync(flights, join(folder, 'flights-3m.parquet'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What it asks is there in `npm run test:cluster`, which follows it. */
const onServers = 'docs/clickhouse.md';

describe('what a page says happens', () => {
  it.each(pages.filter((path) => path !== onServers))('%s', { timeout: 240_000 }, (path) => {
    for (const block of blocksOf(read(path))) {
      if (packagesOf(block.code).some((name) => elsewhere.includes(name))) continue;
      // Data to look at is in a language that nobody can follow, unless it is to be saved.
      const place = `${path}, line ${block.line}`;
      const printed = follow(block, folder);
      if (block.file !== undefined) expect([place, block.output]).toEqual([place, undefined]);
      // A page shows what its programs print, but where that is more than one would read.
      else if (block.output !== undefined) expect([place, printed]).toEqual([place, block.output]);
      else expect([place, printed]).toEqual([place, expect.stringMatching(longAnswers[path] ?? /^never$/)]);
    }
  });
});

/** What the programs and commands of a page print whose output it does not show. */
const longAnswers: Readonly<Record<string, RegExp>> = {
  'README.md': /^(\d+ groups of 3000000 flights\n|origin,late,count\n([^\n]+\n){229})$/,
};

describe('links', () => {
  it.each([...pages, 'CONTRIBUTING.md', 'CHANGELOG.md'])(
    'of %s lead to files that are there, and to headings',
    (path) => {
      for (const [, target] of read(path).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue;
        const [file, heading] = target.split('#');
        const whole = file === '' ? path : join(path, '..', file);
        expect([target, existsSync(join(root, whole))]).toEqual([target, true]);
        if (heading === undefined) continue;
        const headings = [...read(whole).matchAll(/^#+ (.*)$/gm)].map(([, words]) =>
          words
            .toLowerCase()
            .replace(/[^\w\- ]/g, '')
            .replaceAll(' ', '-'),
        );
        expect(headings).toContain(heading);
      }
    },
  );
});

describe('the help of the command', () => {
  it('has examples that work', { timeout: 120_000 }, () => {
    symlinkSync(join(folder, 'flights-3m.parquet'), join(folder, 'flights.parquet'));
    const rows = 'origin,delay\nSFO,10\nLAX,-5\nSFO,25\n';
    writeFileSync(join(folder, 'jan.csv'), rows);
    writeFileSync(join(folder, 'feb.csv.gz'), gzipSync(rows));
    const help = follow({ language: 'sh', code: 'npx rangefold --help' }, folder);
    const examples = help.slice(help.indexOf('Examples:\n')).trim().split('\n').slice(1);
    expect(examples.length).toBeGreaterThanOrEqual(5);
    for (const example of examples) {
      const code = example.replace(/\brangefold /, 'npx rangefold ');
      const printed = follow({ language: 'sh', code }, folder);
      expect([example, printed]).toEqual([
        example,
        expect.stringMatching(/--output/.test(example) ? /^$/ : /\n.*\n/),
      ]);
    }
    expect(existsSync(join(folder, 'by-origin.parquet'))).toBe(true);
  });
});
