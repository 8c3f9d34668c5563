import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The README's blocks of code in a language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code);
}

// The README's own reader has the package installed and the file beside the program.
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rangefold readme '));
  const flights = createRequire(import.meta.url)
    .resolve('vega-datasets')
    .replace(/build.*$/, 'data/flights-3m.parquet');
  symlinkSync(flights, join(folder, 'flights-3m.parquet'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the README', () => {
  it.each(blocks('ts').map((code, i) => [i, code]))(
    'has a program %i that runs',
    async (_, code) => {
      // imported by its own name, as where it is installed
      const program = join(root, 'test', `.readme-${process.pid}.mjs`);
      writeFileSync(
        program,
        code.replaceAll("'flights-3m.parquet'", JSON.stringify(join(folder, 'flights-3m.parquet'))),
      );
      try {
        const { stdout } = await run(process.execPath, [program]);
        expect(stdout).toMatch(/^\d+ groups of 3000000 flights\n$/);
      } finally {
        rmSync(program, { force: true });
      }
    },
    120_000,
  );

  it.each(blocks('sh').flatMap((text) => text.trim().split('\n')))(
    'has a command that runs: %s',
    async (line) => {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
      expect(words.slice(0, 2)).toEqual(['npx', 'rangefold']);
      const { stdout } = await run(process.execPath, [join(root, 'dist/cli/main.js'), ...words.slice(2)], {
        cwd: folder,
      });
      const [head, ...rows] = stdout.trim().split('\n');
      expect(head).toBe('origin,late,count');
      expect(rows).toHaveLength(229);
    },
    120_000,
  );
});
