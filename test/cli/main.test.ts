import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Int32, tableFromIPC, tableToIPC, Utf8 } from 'apache-arrow';
import { describe, expect, it, vi } from 'vitest';
import { GUARD } from '../../dist/parallel/kernels/layout.js';
import { column, createFolder, parquetOf, tableOf } from '../support/files.js';

// Threads and processes start slowly on a busy machine.

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const file = createFolder();
const flights = file('flights.csv', 'origin,delay\nSFO,10\nLAX,-5\nSFO,25\n,3\nLAX,\n');

interface Result {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function execute(
  command: string,
  parameters: readonly string[],
  input?: string | Uint8Array,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Result> {
  return new Promise((resolve) => {
    const child = execFile(command, [...parameters], { timeout: 60_000, env }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

const rangefold = (...parameters: string[]): Promise<Result> =>
  execute(process.execPath, [main, ...parameters]);

describe.each(['parallel', 'reference'])('with --engine %s', (engine) => {
  const run = (...parameters: string[]) => rangefold(flights, '--engine', engine, ...parameters);

  it('answers as a table', async () => {
    const { status, stdout, stderr } = await run(
      '--by',
      'origin',
      '--agg',
      'late=mean(delay)',
      '--agg',
      'max(delay)',
    );
    expect(stderr).toBe('');
    expect(stdout).toBe(
      [
        'origin  late  max_delay',
        '------  ----  ---------',
        'LAX       -5         -5',
        'SFO     17.5         25',
        'null       3          3',
        '(3 rows)',
        '',
      ].join('\n'),
    );
    expect(status).toBe(0);
  });

  it('answers as CSV and JSON, count() if nothing else is asked for', async () => {
    expect((await run('--by', 'desc(origin)', '--format', 'csv')).stdout).toBe(
      'origin,count\nSFO,2\nLAX,2\n,1\n',
    );
    expect(JSON.parse((await run('--by', '', '--agg', 'sum(delay)', '--format', 'json')).stdout)).toEqual([
      { sum_delay: 33 },
    ]);
  });

  it('says what it did', async () => {
    const { status, stdout, stderr } = await run('--by', 'origin', '--stats', '--format', 'csv');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^origin,count\n/);
    expect(stderr).toMatch(new RegExp(`^${engine}, \\d workers?: 5 rows, 3 groups\n`));
    expect(stderr).toMatch(/fold +\d+\.\d ms/);
  });
});

describe('output', () => {
  it('goes to a file, in the format of its name', async () => {
    const target = file('answer.arrow', 'old');
    const { status, stdout } = await rangefold(
      flights,
      '--by',
      'origin',
      '--output',
      target,
      '--workers',
      '2',
    );
    expect([status, stdout]).toEqual([0, '']);
    expect(tableFromIPC(readFileSync(target)).toArray().map(String)).toEqual([
      '{"origin": "LAX", "count": 2}',
      '{"origin": "SFO", "count": 2}',
      '{"origin": null, "count": 1}',
    ]);
    const json = join(dirname(target), 'answer.txt');
    await rangefold(flights, '--by', 'origin', '--output', json, '--format', 'json');
    expect(JSON.parse(readFileSync(json, 'utf8'))).toHaveLength(3);
  });

  it('is no file at all after an error', async () => {
    const damaged = file('late.csv', `k,v\n${'a,1\n'.repeat(10_000)}a,x\n`);
    const target = join(dirname(damaged), 'never.csv');
    const before = readdirSync(dirname(damaged));
    for (const engine of ['parallel', 'reference']) {
      const { status, stderr } = await rangefold(
        damaged,
        '--by',
        'k',
        '--agg',
        'sum(v)',
        '--engine',
        engine,
        '--output',
        target,
      );
      expect(stderr).toMatch(/^rangefold: .*late\.csv, line 10002, column "v": got "x", wanted Int64.*\n$/);
      expect(status).toBe(1);
      expect(existsSync(target)).toBe(false);
      expect(readdirSync(dirname(damaged))).toEqual(before);
    }
  });

  it('may be closed by its reader', async () => {
    const many = file(
      'many.csv',
      `k\n${Array.from({ length: 50_000 }, (_, i) => `key number ${i}\n`).join('')}`,
    );
    for (const format of ['csv', 'tsv', 'json', 'ndjson'] as const) {
      const command = `set -o pipefail; "$0" "$1" "$2" --by k --format ${format} | head -n 1`;
      const { status, stdout, stderr } = await execute('bash', ['-c', command, process.execPath, main, many]);
      expect(stderr).toBe('');
      const first = { csv: 'k,count', tsv: 'k\tcount', json: '[', ndjson: '{"k":"key number 0","count":1}' };
      expect(stdout).toBe(`${first[format]}\n`);
      expect(status).toBe(0);
    }
  });
});

describe('standard input', () => {
  const table = tableOf({ k: column(new Utf8(), ['b', 'a', 'b']), v: column(new Int32(), [1, 2, 3]) });
  const text = 'k,v\nb,1\na,2\nb,3\n';
  const piped = (bytes: string | Uint8Array, ...parameters: string[]): Promise<Result> =>
    execute(process.execPath, [main, ...parameters], bytes);

  it.each<[string, () => string | Uint8Array]>([
    ['CSV', () => text],
    ['CSV in gzip', () => gzipSync(text)],
    ['an Arrow stream', () => tableToIPC(table, 'stream')],
    ['an Arrow file', () => tableToIPC(table, 'file')],
    ['Parquet', () => parquetOf(table)],
  ])('may be %s', async (_, make) => {
    const answer = await piped(make(), '-', '--by', 'k', '--agg', 'sum(v)', '--format', 'csv');
    expect(answer).toEqual({ status: 0, stdout: 'k,sum_v\na,2\nb,4\n', stderr: '' });
  });

  it('is one of several inputs, and leaves no file behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rangefold-test-'));
    const words = ['--by', 'k', '--agg', 'first(v)', '--engine', 'reference', '--format', 'csv'];
    const before = file('before.csv', 'k,v\na,7\n');
    const environment = { ...process.env, TMPDIR: folder };
    const { stdout } = await execute(process.execPath, [main, before, '-', ...words], text, environment);
    expect(stdout).toBe('k,first_v\na,7\nb,1\n');
    const bad = await execute(process.execPath, [main, '-', ...words], 'k,v\na\n', environment);
    expect(bad.stderr).toBe('rangefold: standard input, line 2: got 1 field, wanted 2, one a column\n');
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('that holds nothing is an error that names it', async () => {
    const { status, stderr } = await piped('', '-', '--by', 'k');
    expect([status, stderr]).toEqual([
      1,
      'rangefold: standard input: got an empty file, wanted a file with something in it\n',
    ]);
  });
});

describe('a run that is ended from outside', () => {
  it.each<[NodeJS.Signals, number]>([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('by %s leaves nothing half-written behind', async (signal, status) => {
    const folder = mkdtempSync(join(tmpdir(), 'rangefold-test-'));
    const target = join(folder, 'answer.csv');
    const child = spawn(process.execPath, [main, '-', '--by', 'k', '--output', target], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stdin.write('k,v\n');
    await vi.waitUntil(() => readdirSync(folder).length > 0, 30_000);
    child.kill(signal);
    const ended = await new Promise((resolve) => child.on('exit', (code, by) => resolve([code, by])));
    expect(ended).toEqual([status, null]);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});

describe('every format', () => {
  const words = ['--by', 'origin', '--agg', 'sum(delay)'];
  it.each<[string, string]>([
    ['csv', 'origin,sum_delay\nLAX,-5\nSFO,35\n,3\n'],
    ['tsv', 'origin\tsum_delay\nLAX\t-5\nSFO\t35\n\t3\n'],
    [
      'json',
      '[\n{"origin":"LAX","sum_delay":-5},\n{"origin":"SFO","sum_delay":35},\n{"origin":null,"sum_delay":3}\n]\n',
    ],
    [
      'ndjson',
      '{"origin":"LAX","sum_delay":-5}\n{"origin":"SFO","sum_delay":35}\n{"origin":null,"sum_delay":3}\n',
    ],
  ])('is written: %s', async (format, wanted) => {
    expect((await rangefold(flights, ...words, '--format', format)).stdout).toBe(wanted);
    const target = file(`answer.${format}`, 'old');
    expect(await rangefold(flights, ...words, '--output', target)).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
    expect(readFileSync(target, 'utf8')).toBe(wanted);
  });

  it.each(['arrow', 'parquet', 'feather', 'arrows'])('is written and read again: %s', async (extension) => {
    const target = file(`binary.${extension}`, 'old');
    await rangefold(flights, ...words, '--output', target);
    const { stdout } = await rangefold(
      target,
      '--by',
      'origin',
      '--agg',
      'sum(sum_delay)',
      '--format',
      'csv',
    );
    expect(stdout).toBe('origin,sum_sum_delay\nLAX,-5\nSFO,35\n,3\n');
  });
});

it('reads columns of a text as it is told', async () => {
  const text = file('told.csv', 'code,n\n007,1\n012,N/A\n007,2.5\n');
  const words = ['--by', 'code', '--agg', 'sum(n)', '--format', 'csv'];
  const said = ['--type', 'code=Int32', '--type', 'n=Float64', '--null', 'N/A'];
  expect(await rangefold(text, ...words, ...said)).toEqual({
    status: 0,
    stdout: 'code,sum_n\n7,3.5\n12,\n',
    stderr: '',
  });
  const { status, stderr } = await rangefold(text, ...words, '--type', 'm=Int32');
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('got a type for "m", wanted one for a column that is there: "code", "n"'),
  ]);
});

it('reads text of another delimiter', async () => {
  const till = file('till.csv', 'shop;price\nBern;3,5\nChur;2\nBern;1\n');
  const words = ['--by', 'shop', '--format', 'csv'];
  expect(await rangefold(till, '--delimiter', ';', ...words)).toEqual({
    status: 0,
    stdout: 'shop,count\nBern,2\nChur,1\n',
    stderr: '',
  });
  const tabbed = file('till.txt', 'shop\tprice\nBern\t3\n');
  const { stdout } = await rangefold(tabbed, '--delimiter', '\\t', ...words);
  expect(stdout).toBe('shop,count\nBern,1\n');
});

describe('on a terminal', () => {
  /**
   * Runs the command where standard output and standard error are a terminal of 45 columns. No variable of the caller is
   * handed on: Node.js asks several (`CI`, `NO_COLOR`, `NODE_DISABLE_COLORS`, …) before it says that a terminal has colors.
   */
  async function onTerminal(variables: string, ...parameters: string[]): Promise<string> {
    const line = `stty cols 45 rows 24; env -i TERM=xterm ${variables} '${process.execPath}' '${main}' ${parameters.join(' ')}`;
    const { stdout } = await execute('script', ['-qec', line, '/dev/null']);
    return stdout.replaceAll('\r\n', '\n');
  }
  const long = file('long.csv', `k,text\n1,${'x'.repeat(50)}\n2,${'y'.repeat(50)}\n`);
  const words = [long, '--by', 'k,text', '--agg', "'sum(k)'"];
  // Of the package util-linux; elsewhere it takes other words.
  const isThere = process.platform === 'linux' && existsSync('/usr/bin/script');
  if (!isThere)
    console.log('skipped: what is shown on a terminal, for there is no /usr/bin/script of Linux here');

  it.skipIf(!isThere)('a table is fitted to its width, with colors', async () => {
    const shown = await onTerminal('', ...words);
    expect(shown.replace(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '').split('\n')).toEqual([
      `k  text${' '.repeat(31)}  sum_k`,
      `-  ${'-'.repeat(35)}  -----`,
      `1  ${'x'.repeat(34)}…      1`,
      `2  ${'y'.repeat(34)}…      2`,
      '(2 rows)',
      '',
    ]);
    expect(shown).toContain('\x1b[1mk\x1b[0m');
  });

  it.skipIf(!isThere)('nothing is written that only programs read', async () => {
    for (const format of ['arrow', 'parquet']) {
      expect(await onTerminal('', ...words, '--format', format)).toBe(
        `rangefold: --format ${format}: got a terminal to write to, wanted --output or a pipe\n`,
      );
    }
  });

  it.skipIf(!isThere)('there are no colors where NO_COLOR says so', async () => {
    expect(await onTerminal('NO_COLOR=1', ...words)).not.toContain('\x1b');
  });

  it.skipIf(!isThere)('progress is shown while it takes long, unless --quiet', async () => {
    const flights = createRequire(import.meta.url)
      .resolve('vega-datasets')
      .replace(/build.*$/, 'data/flights-3m.parquet');
    const query = [
      `'${flights}'`,
      '--by',
      'origin,distance,date',
      '--format',
      'csv',
      '--output',
      '/dev/null',
    ];
    const shown = await onTerminal('', ...query);
    expect(shown).toMatch(/fold {3,}\d+% {2}.{20}/);
    // Taken away at the end.
    expect(shown.endsWith('\r\x1b[K')).toBe(true);
    expect(await onTerminal('', ...query, '--quiet')).toBe('');
  });
});

describe('inputs', () => {
  it('are one, in the order given', async () => {
    const table = tableOf({ origin: column(new Utf8(), ['SFO']), delay: column(new Int32(), [7]) });
    const parquet = file('one.parquet', parquetOf(table));
    const arguments_ = ['--by', 'origin', '--agg', 'sum(delay)', '--format', 'csv'];
    expect((await rangefold(parquet, parquet, ...arguments_)).stdout).toBe('origin,sum_delay\nSFO,14\n');
    const mixed = await rangefold(parquet, flights, ...arguments_);
    expect(mixed.stdout).toBe('origin,sum_delay\nLAX,-5\nSFO,42\n,3\n');
  });
});

describe('a memory limit', () => {
  it('is kept by files, from which the output is written', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'rangefold-test-'));
    const output = join(directory, 'out.csv');
    // 7919 is coprime to the number of keys: each comes once
    const keys = Array.from({ length: 200_000 }, (_, row) => 100_000 + ((row * 7919) % 200_000));
    // the checked build keeps 8 MiB of kernel memory for guards
    const limit = `${8 + 12 * GUARD}MB`;
    const words = ['--by', 'k', '--workers', '1', '--memory-limit', limit, '--spill-directory', directory];
    const { status, stderr } = await rangefold(
      file('keys.csv', `k\n${keys.join('\n')}\n`),
      ...words,
      '--output',
      output,
      '--stats',
    );
    expect(status).toBe(0);
    expect(stderr).toMatch(/^spilled: .+B$/m);
    const lines = Array.from(keys.keys(), (k) => `${100_000 + k},1`);
    expect(readFileSync(output, 'utf8') === ['k,count', ...lines, ''].join('\n')).toBe(true);
    expect(readdirSync(directory)).toEqual(['out.csv']);
    rmSync(directory, { recursive: true });
  });
});

describe('errors are one line and exit status 1', () => {
  const parquet = parquetOf(tableOf({ k: column(new Utf8(), ['a']), v: column(new Int32(), [1]) }));
  it.each<[string, () => string, string[], RegExp]>([
    [
      'a missing file',
      () => '/no/such.parquet',
      ['--by', 'k'],
      /^rangefold: \/no\/such\.parquet: got no such file/,
    ],
    ['a directory', () => dirname(flights), ['--by', 'k'], /: got a directory, wanted a file\n$/],
    [
      'a damaged file',
      () =>
        file(
          'damaged.parquet',
          parquet.map((byte, i) => (i > 4 && i < 60 ? 255 : byte)),
        ),
      ['--by', 'k'],
      /damaged\.parquet, row group 0: got data that cannot be decoded/,
    ],
    [
      'half a file',
      () => file('half.parquet', parquet.subarray(0, 100)),
      ['--by', 'k'],
      /half\.parquet: got a file that/,
    ],
    ['an unknown column', () => flights, ['--by', 'airport'], /"airport"/],
    ['text summed', () => flights, ['--by', 'origin', '--agg', 'sum(origin)'], /sum of column "origin"/],
    ['a name used twice', () => flights, ['--by', 'origin', '--agg', 'origin=count()'], /"origin"/],
    [
      'an output that cannot be',
      () => flights,
      ['--by', 'origin', '--output', '/no/such/x.csv'],
      /\/no\/such\/x\.csv: got a dir/,
    ],
  ])('%s', async (_, path, parameters, message) => {
    const { status, stdout, stderr } = await rangefold(path(), ...parameters);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^rangefold: [^\n]*\n$/);
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });
});

describe('wrong usage is one line and exit status 2', () => {
  it.each<[string, string[]]>([
    ["unknown option '--bye' (Did you mean --by?); --help lists them", [flights, '--bye', 'k']],
    [
      '--limit: got "few", wanted a whole number from 0 to 9007199254740991',
      [flights, '--by', 'k', '--limit', 'few'],
    ],
    ['- (standard input): got it more than once, wanted it once at most', ['-', '-', '--by', 'origin']],
    [
      '--where: got it more than once, wanted it once, with and between conditions',
      [flights, '--by', 'origin', '--where', 'delay > 1', '--where', 'delay < 9'],
    ],
    [
      '--by: got it more than once, wanted it once, with commas between keys',
      [flights, '--by', 'origin', '--by', 'destination'],
    ],
    [
      `--output ${flights}: got a file that is read, wanted another`,
      [flights, '--by', 'origin', '--output', flights],
    ],
  ])('%s', async (message, parameters) => {
    const { status, stdout, stderr } = await rangefold(...parameters);
    expect([status, stdout, stderr]).toEqual([2, '', `rangefold: ${message}\n`]);
  });
});

describe('wrong words are pointed at', () => {
  it.each([
    [
      '--where',
      'delay > > 0',
      `--where: got "> 0", wanted a number, a text in 'single quotes', true or false\n  delay > > 0\n          ^\n`,
    ],
    ['--agg', 'late=mdian(delay)', '--agg: got "mdian", wanted one of count, '],
    ['--agg', 'late=mdian(delay)', '\n  late=mdian(delay)\n       ^\n'],
  ])('%s %s', async (option, text, message) => {
    const { status, stdout, stderr } = await rangefold(flights, '--by', 'origin', option, text);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('the whole vocabulary', () => {
  it('is understood by the command', async () => {
    const words = [
      ['--by', 'rollup(origin)'],
      ['--agg', 'n=count()'],
      ['--agg', 'late=max(delay) where delay > 5'],
      ['--agg', 'quantile(delay,0.5)'],
      ['--where', 'delay is not null'],
      ['--having', 'n >= 2 or grouping = 1'],
      ['--sort', 'desc(n)'],
      ['--limit', '2'],
      ['--format', 'csv'],
      ['--engine', 'reference'],
    ];
    const { stdout, stderr } = await rangefold(flights, ...words.flat());
    expect(stderr).toBe('');
    // delays 10, -5, 25, 3 in all, of which SFO has 10 and 25
    expect(stdout).toBe('origin,grouping,n,late,quantile_delay_0.5\n,1,4,25,6.5\nSFO,0,2,25,17.5\n');
  });
});

describe('help and version', () => {
  /** Runs the command where the names of large packages cannot be resolved. */
  function light(...parameters: string[]): Promise<Result> {
    const hooks = file(
      'hooks.mjs',
      `export async function resolve(name, context, next) {
        if (/^(apache-arrow|piscina|parquet-wasm)/.test(name)) throw new Error('loaded ' + name);
        return next(name, context);
      }`,
    );
    const register = file(
      'register.mjs',
      `import { register } from 'node:module';
      register(${JSON.stringify(pathToFileURL(hooks).href)});`,
    );
    return execute(process.execPath, ['--import', pathToFileURL(register).href, main, ...parameters]);
  }

  it('load nothing that is large, nor does wrong usage', async () => {
    const help = await light('--help');
    expect([help.status, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(/^Usage: rangefold \[options\] \[files\.\.\.\]\n/);
    for (const option of [
      '--by',
      '--agg',
      '--where',
      '--having',
      '--sort',
      '--limit',
      '--engine',
      '--url',
      '--table',
      '--workers',
      '--format',
      '--output',
      '--stats',
      '--quiet',
    ]) {
      expect(help.stdout).toContain(`  ${option}`);
    }
    expect((await light(flights, '--by', 'roll(a)')).status).toBe(2);
    // The means work: a real run is stopped by them.
    expect((await light(flights, '--by', 'origin')).stderr).toContain('loaded ');
  });

  it('say which version it is', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await rangefold('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });
});
