import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { InputError } from 'rangefold';
import { afterEach, describe, expect, it } from 'vitest';
import { createDecoder, type Decoder } from '../../dist/io/decoder.js';
import { createSource } from '../../dist/io/source.js';
import { createFolder, rejection } from '../support/files.js';

// Threads and processes start slowly on a busy machine.

const file = createFolder();
const module = (name: string) => new URL(`./parts/${name}.mjs`, import.meta.url).href;
const decoders: Decoder[] = [];
function decoder(patience?: number): Decoder {
  const created = createDecoder(patience);
  decoders.push(created);
  return created;
}
afterEach(async () => {
  await Promise.all(decoders.splice(0).map((it) => it.close()));
});

async function inputErrorOf(promise: Promise<unknown>): Promise<string> {
  const error = await rejection(promise);
  expect(error).toBeInstanceOf(InputError);
  return error.message;
}

describe('a decoder', () => {
  it.each(['hang', 'wait'])('that is silent (%s) is ended, and the input named', async (name) => {
    const hanging = decoder(300);
    const message = await inputErrorOf(hanging.describe(module(name), undefined, 'x.parquet'));
    expect(message).toBe(
      'x.parquet: got a decoder that was silent for 0.3 s, wanted data that can be decoded',
    );
    // It is of no use any more, and says so at once.
    expect(await inputErrorOf(hanging.describe(module('fail'), undefined, 'y'))).toMatch(
      /^y: got a decoder that was/,
    );
  });

  it('that hangs between two batches is ended, and the place named', async () => {
    // long enough for a thread to start on a busy machine
    const batches = decoder(3000).read({ module: module('hang'), data: undefined }, [], 'x, part 1');
    expect((await batches.next()).value).toEqual({ rows: 1, columns: [] });
    expect(await inputErrorOf(batches.next())).toMatch(
      /^x, part 1, after batch 1: got a decoder that was silent/,
    );
  });

  it('is not taken to hang because its caller is busy', async () => {
    const answer = decoder(1500).read({ module: module('fail'), data: undefined }, [], 'x');
    await answer.next();
    const second = answer.next();
    for (const end = Date.now() + 2000; Date.now() < end; );
    expect((await second).done).toBe(false);
  });

  it('that exits is an error of the input', async () => {
    expect(await inputErrorOf(decoder().describe(module('die'), undefined, 'x'))).toBe(
      'x: got a decoder that exited with code 3, wanted data that can be decoded',
    );
    const batches = decoder().read({ module: module('die'), data: undefined }, [], 'x');
    await batches.next();
    expect(await inputErrorOf(batches.next())).toMatch(
      /x, after batch 1: got a decoder that failed \(out of nowhere\)/,
    );
  });

  it('that throws is an error of the input, with the reason', async () => {
    expect(await inputErrorOf(decoder().describe(module('fail'), undefined, 'x'))).toBe(
      'x: got a decoder that failed (a bug), wanted data that can be decoded',
    );
    expect(await inputErrorOf(decoder().describe(module('missing'), undefined, 'x'))).toMatch(
      /^x: got a decoder that failed \(Cannot find module/,
    );
  });

  it('hands over batches that own their memory', async () => {
    const batches = decoder().read({ module: module('fail'), data: undefined }, ['a'], 'x');
    const first = (await batches.next()).value;
    await batches.next();
    expect(first?.columns[0].values).toEqual(Uint8Array.of(0, 0));
    expect(await inputErrorOf(batches.next())).toMatch(/a bug/);
  });
});

describe('a part module', () => {
  it.each(['parquet-part', 'csv-part', 'decoder'])('%s is read without apache-arrow', async (name) => {
    const hooks = file(
      'hooks.mjs',
      `export async function resolve(name, context, next) {
        if (name.startsWith('apache-arrow')) throw new Error('loaded ' + name);
        return next(name, context);
      }`,
    );
    const register = `import { register } from 'node:module';
      register(${JSON.stringify(pathToFileURL(hooks).href)});
      const load = (name) => import(new URL(name, ${JSON.stringify(new URL('../../dist/io/', import.meta.url).href)}));
      await load('./${name}.js');
      await load('./arrow-part.js').catch((error) => console.log(error.message));`;
    const { stdout } = await promisify(execFile)(process.execPath, [file('load.mjs', register)]);
    // The means work: the one module that may load it does.
    expect(stdout).toBe('loaded apache-arrow\n');
  });
});

describe('a source', () => {
  it('lets go at once of a decoder that is still at work', async () => {
    const source = createSource({
      fields: [],
      parts: [{ module: module('hang'), data: undefined, place: 'x' }],
      rows: undefined,
      approximateRows: undefined,
    });
    const batches = source.batches()[Symbol.asyncIterator]();
    await batches.next();
    const waiting = rejection(batches.next());
    const start = performance.now();
    expect(await batches.return?.()).toMatchObject({ done: true });
    expect((await waiting).message).toMatch(/^x, after batch 1: got a decoder that was closed/);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  const script = (body: string) => `
    import { open } from 'rangefold';
    const source = await open(${JSON.stringify(file('x.csv', 'a\n1\n2\n'))});
    ${body}
    console.log('end');
  `;
  const run = (body: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script(body)], { timeout: 20_000 });

  it('does not keep the process alive, read or not, to the end or not', async () => {
    const half = 'const it = source.batches()[Symbol.asyncIterator](); await it.next();';
    for (const body of ['', 'for await (const batch of source.batches()) break;', half]) {
      expect((await run(body)).stdout).toBe('end\n');
    }
  });

  it('keeps it alive while it is waited for', async () => {
    const { stdout } = await run('for await (const { numRows } of source.batches()) console.log(numRows);');
    expect(stdout).toBe('2\nend\n');
  });
});
