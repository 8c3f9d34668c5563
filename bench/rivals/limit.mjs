import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Type } from 'apache-arrow';
import { LIMIT } from '../limit/compile.mjs';

/** The limit of the machine: a C program written for this one query, in a process that waits to be told to run. */
export async function open(threads) {
  let answer;
  let child;
  let answers;
  const tell = async (line) => {
    child.stdin.write(`${line}\n`);
    const { value } = await answers.next();
    if (value !== 'done') throw new Error(`limit: got ${value ?? 'its end'}, wanted done`);
  };
  return {
    name: `C, ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
    timed: 'a program for this query only',
    async load(table, _, folder) {
      answer = join(folder, `limit-${threads}`);
      const [key, value] = table.batches[0].data.children;
      const paths = [key, value].map(({ values }, i) => {
        const path = `${answer}-${i}`;
        writeFileSync(path, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
        return path;
      });
      const form = key.type.typeId === Type.Int && key.type.bitWidth === 32 ? 'dense' : 'hash';
      child = spawn(LIMIT, [form, String(threads), String(table.numRows), ...paths], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    },
    run: () => tell('run'),
    async fetch() {
      await tell('run');
      await tell(`write ${answer}`);
      const { buffer } = new Uint8Array(readFileSync(answer));
      const cells = new BigInt64Array(buffer);
      return [0, 1, 2].map((column) => cells.filter((_, i) => i % 3 === column));
    },
    async close() {
      child.stdin.end();
    },
  };
}
