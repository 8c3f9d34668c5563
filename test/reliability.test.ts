import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = new URL('../docs/reliability.md', import.meta.url);
const rows = [...readFileSync(page, 'utf8').matchAll(/\]\((\S+\.test\.ts)\): `(.+?)` *\|$/gm)].map(
  ([, path, name]) => [name, path] as const,
);

describe('the table of faults', () => {
  it('names a test in every row', () => {
    const lines = readFileSync(page, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('|'));
    // each table has two lines of heading
    const tables = lines.filter((line) => /^\| -/.test(line)).length;
    expect(rows.length).toBe(lines.length - 2 * tables);
  });

  it.each(rows)('"%s" is in %s', (name, path) => {
    const code = readFileSync(new URL(path, page), 'utf8');
    expect(["'", '`'].some((quote) => code.includes(`${quote}${name}${quote}`))).toBe(true);
  });
});
