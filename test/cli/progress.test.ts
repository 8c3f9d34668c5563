import { describe, expect, it } from 'vitest';
import { bar } from '../../dist/cli/bar.js';
import { createProgressLine, progressText, shortNumber } from '../../dist/cli/progress.js';
import { statsText } from '../../dist/cli/stats-text.js';

describe('a bar', () => {
  it('is as long as its share of the line, to an eighth of a character', () => {
    expect([0, 0.5, 1].map((share) => bar(0, share, 4))).toEqual(['    ', '██  ', '████']);
    expect(bar(0, 0.28125, 4)).toBe('█▏  ');
    expect(bar(0.5, 1, 4)).toBe('  ██');
    expect(bar(1, 1, 4)).toBe('    ');
  });
});

describe('progress', () => {
  it('has a bar, rows, rows a second and the time left', () => {
    // 25 of 100 million rows in 2 seconds: 12.5 million a second, and 6 seconds more.
    expect(progressText({ phase: 'fold', rows: 25_000_000, totalRows: 100_000_000 }, 2000)).toBe(
      'fold   25%  █████                 25,000,000 rows  12.5 M rows/s  6 s left',
    );
    expect(progressText({ phase: 'fold', rows: 10, totalRows: 3600 }, 10_000, 100)).toMatch(
      / 59:50 min left$/,
    );
    expect(progressText({ phase: 'fold', rows: 1, totalRows: 3601 }, 3000, 100)).toMatch(/ 3:00 h left$/);
  });

  it('has no bar where nobody knows how many rows there are', () => {
    expect(progressText({ phase: 'fold', rows: 1234 }, 1000)).toBe('fold  1,234 rows  1.23 k rows/s');
  });

  it('says as much as fits on the line', () => {
    const progress = { phase: 'fold', rows: 25_000_000, totalRows: 100_000_000 };
    for (let columns = 1; columns < 90; columns++) {
      expect(progressText(progress, 2000, columns).length).toBeLessThan(columns);
    }
  });

  it('is shown after a while, now and then, on one line that is taken away', () => {
    let now = 0;
    let written = '';
    const terminal = { columns: 80, write: (text: string) => (written += text) };
    const line = createProgressLine(terminal, () => now);
    line.show({ phase: 'open', rows: 0 });
    expect(written).toBe('');
    line.clear();
    expect(written).toBe('');
    now = 300;
    line.show({ phase: 'fold', rows: 3000 });
    now = 350;
    line.show({ phase: 'fold', rows: 4000 });
    now = 400;
    line.show({ phase: 'fold', rows: 5000 });
    line.clear();
    expect(written.split('\r\x1b[K')).toEqual([
      '',
      'fold  3,000 rows  10.0 k rows/s',
      'fold  5,000 rows  12.5 k rows/s',
      '',
    ]);
  });

  it('has numbers of three digits', () => {
    expect([0, 7.4, 999, 999.5, 1234, 99_950, 999_499, 999_500, 1.5e9].map(shortNumber)).toEqual([
      '0',
      '7',
      '999',
      '1.00 k',
      '1.23 k',
      '100 k',
      '999 k',
      '1.00 M',
      '1.50 G',
    ]);
  });
});

describe('stats', () => {
  const range = { worker: 0, partials: 20, groups: 10, milliseconds: 4 };
  const stats = {
    engine: 'parallel',
    rows: 1_000_000,
    groups: 1500,
    workers: 2,
    strategies: ['hash table'],
    milliseconds: { open: 20, fold: 60, order: 20 },
    ranges: [range, { worker: 1, partials: 2000, groups: 1490, milliseconds: 8 }],
    spilledBytes: 0,
  };

  it('are a profile: phases one after the other, ranges side by side', () => {
    expect(statsText(stats)).toBe(
      [
        'parallel, 2 workers: 1,000,000 rows, 1,500 groups',
        '100.0 ms in all, 10.0 M rows/s',
        'strategies: hash table',
        `open       20.0 ms  ${'█'.repeat(8)}`,
        `fold       60.0 ms  ${' '.repeat(8)}${'█'.repeat(24)}`,
        `order      20.0 ms  ${' '.repeat(32)}${'█'.repeat(8)}`,
        `range 1  worker 0     10 groups     of 20 partials  4.0 ms  ${'█'.repeat(10)}`,
        `range 2  worker 1  1,490 groups  of 2,000 partials  8.0 ms  ${'█'.repeat(20)}`,
        '',
      ].join('\n'),
    );
  });

  it('leave out the middle of many ranges', () => {
    const lines = statsText({ ...stats, ranges: Array.from({ length: 1000 }, () => range) }).split('\n');
    expect(lines.filter((line) => line.startsWith('range'))).toHaveLength(16);
    expect(lines).toContain('... 984 more ranges ...');
  });

  it('are there where there was nothing to do', () => {
    const idle = { ...stats, rows: 0, groups: 0, strategies: [], milliseconds: {}, ranges: [] };
    expect(statsText(idle)).toBe('parallel, 2 workers: 0 rows, 0 groups\n0.0 ms in all\n');
  });
});
