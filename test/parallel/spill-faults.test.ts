import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dictionary, Int32, Int64, type RecordBatch, Table, Utf8 } from 'apache-arrow';
import {
  type Aggregator,
  count,
  createParallel,
  desc,
  list,
  MemoryLimitError,
  QueryError,
  rollup,
  sum,
} from 'rangefold';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GUARD } from '../../dist/parallel/kernels/layout.js';
import { column } from '../support/files.js';

let directory = '';
let engine: Aggregator | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rangefold-test-'));
});

afterEach(async () => {
  await engine?.close();
  engine = undefined;
  rmSync(directory, { recursive: true, force: true });
});

if (GUARD > 0)
  console.log(
    'skipped: answers beyond a small limit, of which the guards of the checked build take the most',
  );

const GROUPS = 250_000;
/** Every key once. */
const table = new Table({
  k: column(
    new Int64(),
    Array.from({ length: GROUPS }, (_, row) => BigInt((row * 7919) % GROUPS)),
  ),
});
const QUERY = { by: ['k'], aggregates: { n: count() } };
const TUNING = { inlineRows: 0, spillGroups: 2000 };

/** A program that says when it has spilled, and waits. */
const WAITS = `
  import { count, createParallel } from 'rangefold';
  import { readdirSync, statSync } from 'node:fs';
  import { join } from 'node:path';
  import { tableFromArrays } from 'apache-arrow';
  const engine = createParallel({ workers: 2, spillDirectory: process.argv[1], tuning: { inlineRows: 0, morselRows: 100, spillGroups: 10 } });
  const table = tableFromArrays({ k: Int32Array.from({ length: 1000 }, (_, i) => i) });
  await engine.stream(table, { by: ['k'], aggregates: { n: count() } });
  const folders = readdirSync(process.argv[1]);
  const mode = statSync(join(process.argv[1], folders[0])).mode & 0o777;
  console.log('spilled', folders.length, mode.toString(8));
  setInterval(() => undefined, 1000);
`;

function start(code: string): ReturnType<typeof spawn> {
  return spawn(process.execPath, ['--input-type=module', '-e', code, directory], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** A process that has spilled, which goes on. */
async function spilled(): Promise<ReturnType<typeof spawn>> {
  const child = start(WAITS);
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve);
    child.once('exit', reject);
  });
  return child;
}

async function ended(child: ReturnType<typeof spawn>, signal: NodeJS.Signals): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

/** One run that needs no files: what it finds in the directory is of others. */
async function startEngine(): Promise<void> {
  engine = createParallel({ workers: 1, spillDirectory: directory });
  await engine.aggregate(new Table({ k: column(new Int64(), [1n]) }), QUERY);
  await engine.close();
}

describe('what a killed process left behind', () => {
  it('is removed at the next start, and what is at work is let alone', async () => {
    const killed = await spilled();
    const lives = await spilled();
    try {
      expect(readdirSync(directory)).toHaveLength(2);
      await ended(killed, 'SIGKILL');
      expect(readdirSync(directory)).toHaveLength(2);
      await startEngine();
      const rest = readdirSync(directory);
      expect(rest).toHaveLength(1);
      expect(rest[0]).toContain(`-${lives.pid}-`);
    } finally {
      await ended(lives, 'SIGKILL');
    }
  });

  it.skipIf(!existsSync('/proc/self/stat'))(
    'is told from a process that has its number now (skipped where the system tells no start of processes)',
    async () => {
      const killed = await spilled();
      await ended(killed, 'SIGKILL');
      const [name] = readdirSync(directory);
      // this process has the number, and began at another time
      const parts = name.split('-');
      parts[3] = String(process.pid);
      mkdirSync(join(directory, parts.join('-')));
      // of another machine nothing is known
      parts[2] = '0'.repeat(16);
      mkdirSync(join(directory, parts.join('-')));
      writeFileSync(join(directory, 'rangefold-spill.txt'), 'of somebody else');
      await startEngine();
      expect(readdirSync(directory).toSorted()).toEqual([parts.join('-'), 'rangefold-spill.txt']);
    },
  );

  it('is nothing where the process ends by itself, its stream unread', async () => {
    const child = start(WAITS.replace('setInterval(() => undefined, 1000);', 'process.exit(0);'));
    const [said] = await Promise.all([
      new Promise((resolve) => child.stdout?.once('data', resolve)),
      new Promise((resolve) => child.once('exit', resolve)),
    ]);
    // it was there
    expect(String(said)).toBe('spilled 1 700\n');
    expect(readdirSync(directory)).toEqual([]);
  });
});

/** Whether a small file system can be mounted: by root on Linux. */
function mountSmall(at: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a disk', () => {
  it('that is full gives the error of the system, and keeps nothing (where a small one can be mounted)', async (test) => {
    const small = join(directory, 'small');
    mkdirSync(small);
    if (!mountSmall(small)) {
      console.log('skipped: what a full disk does, for none of 1 MB can be mounted here');
      return test.skip();
    }
    try {
      engine = createParallel({ workers: 2, spillDirectory: small, tuning: TUNING });
      const error = await engine.aggregate(table, QUERY).catch((error: unknown) => error);
      expect(error).toMatchObject({ code: 'ENOSPC', syscall: 'write' });
      expect(readdirSync(small)).toEqual([]);
      // 20,000 groups have room
      const { table: answer, stats } = await engine.aggregate(table.slice(0, 20_000), QUERY);
      expect(answer.numRows).toBe(20_000);
      expect(stats.strategies).toContain('spill');
      expect(readdirSync(small)).toEqual([]);
    } finally {
      execFileSync('umount', [small]);
    }
  });

  it('without the directory gives the error of the system', async () => {
    engine = createParallel({ workers: 2, spillDirectory: join(directory, 'not-there'), tuning: TUNING });
    await expect(engine.aggregate(table, QUERY)).rejects.toMatchObject({ code: 'ENOENT', syscall: 'mkdir' });
  });
});

describe('a memory limit', () => {
  // the checked build keeps 8 MiB of kernel memory for guards
  const MEGABYTES = 8_000_000 + 12_000_000 * GUARD;

  it.each([
    [{ memoryLimit: 0 }, QueryError, 'option memoryLimit: got 0, wanted a whole number from 1'],
    [{ memoryLimit: 1.5 }, QueryError, 'option memoryLimit: got 1.5'],
    [
      { workers: 2, memoryLimit: 1000 },
      MemoryLimitError,
      'option memoryLimit: got 1000 bytes, wanted at least',
    ],
    [{ spillDirectory: '' }, QueryError, 'option spillDirectory: got "", wanted the path of a directory'],
  ])('is refused where no run can keep it: %j', (options, kind, words) => {
    expect(() => createParallel(options)).toThrow(kind);
    expect(() => createParallel(options)).toThrow(words);
  });

  it.skipIf(GUARD > 0)(
    'that an answer passes is an error where the answer is collected, and none where it is streamed',
    async () => {
      engine = createParallel({ workers: 1, memoryLimit: MEGABYTES, spillDirectory: directory });
      await expect(engine.aggregate(table, QUERY)).rejects.toThrow(
        /^memoryLimit: got an answer of \d+ bytes, so far, wanted at most 3200000; stream\(\)/,
      );
      expect(readdirSync(directory)).toEqual([]);
      const { batches, stats } = await engine.stream(table, QUERY);
      let next = 0n;
      for await (const batch of batches) {
        for (const key of batch.getChild('k') ?? []) expect(key).toBe(next++);
      }
      expect(next).toBe(BigInt(GROUPS));
      expect((await stats).strategies).toContain('spill');
    },
  );

  it.skipIf(GUARD > 0)(
    'that groups to sort pass is an error, and none where few of them are wanted',
    async () => {
      engine = createParallel({ workers: 1, memoryLimit: MEGABYTES, spillDirectory: directory });
      const query = { ...QUERY, sort: [desc('k')] };
      await expect(engine.aggregate(table, query)).rejects.toThrow(
        /^memoryLimit: got \d+ bytes of groups to sort, so far, wanted at most 3200000; with a limit/,
      );
      const { table: best } = await engine.aggregate(table, { ...query, limit: 3 });
      expect([...(best.getChild('k') ?? [])]).toEqual([249_999n, 249_998n, 249_997n]);
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  it('that the values of one group, or grouping sets, pass is an error', async () => {
    engine = createParallel({ workers: 1, memoryLimit: MEGABYTES, spillDirectory: directory });
    const many = new Table({
      one: column(
        new Int64(),
        Array.from({ length: 400_000 }, (_, row) => BigInt(row % 2)),
      ),
      v: column(
        new Int64(),
        Array.from({ length: 400_000 }, (_, row) => BigInt(row)),
      ),
    });
    for (const [input, query] of [
      [many, { by: ['one'], aggregates: { l: list('v') } }],
      [table, { by: rollup('k'), aggregates: { s: sum('k') } }],
    ] as const) {
      const error = await engine.aggregate(input, query).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(MemoryLimitError);
      expect(error).toMatchObject({ parameter: 'memoryLimit' });
      expect(readdirSync(directory)).toEqual([]);
    }
    // and the engine goes on
    const { table: answer } = await engine.aggregate(table.slice(0, 1000), QUERY);
    expect(answer.numRows).toBe(1000);
  });

  it('that the dictionaries of a stream pass is an error', async () => {
    engine = createParallel({ workers: 1, memoryLimit: MEGABYTES, spillDirectory: directory });
    let given = 0;
    // 100,000 bytes of texts each, none of them in another
    const batches = async function* (): AsyncGenerator<RecordBatch> {
      for (; given < 1000; given++) {
        const texts = Array.from({ length: 1000 }, (_, i) => `${given} ${i}`.padEnd(100, '.'));
        yield* new Table({ k: column(new Dictionary(new Utf8(), new Int32()), texts) }).batches;
      }
    };
    await expect(engine.aggregate(batches(), QUERY)).rejects.toThrow(MemoryLimitError);
    expect(given).toBeGreaterThan(10);
    expect(given).toBeLessThan(1000);
    expect(readdirSync(directory)).toEqual([]);
    const { table: answer } = await engine.aggregate(table.slice(0, 1000), QUERY);
    expect(answer.numRows).toBe(1000);
  });
});
