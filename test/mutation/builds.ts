import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import type { Mutant } from './mutants.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const KERNELS = 'parallel/kernels/';
/** The laws take seconds, on a busy machine a minute or two. */
const PATIENCE = 500_000;

/** What came of a run of the laws. */
export interface Verdict {
  readonly status: number | null;
  readonly output: string;
}

/** Builds of the package beside the real one, which is never touched, and the laws run against them. */
export class Builds {
  private readonly folder = mkdtempSync(join(tmpdir(), 'rangefold-mutation-'));
  private readonly laws = join(this.folder, 'laws');
  private count = 0;

  /** Compiles the laws, for a child process without a test runner. */
  async compileLaws(): Promise<void> {
    const config = join(this.folder, 'tsconfig.json');
    const compilerOptions = {
      noEmit: false,
      declaration: false,
      sourceMap: false,
      rootDir: ROOT,
      outDir: this.laws,
    };
    const files = [join(ROOT, 'test/mutation/probe.ts')];
    const options = { ...compilerOptions, typeRoots: [join(ROOT, 'node_modules/@types')] };
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.test.json'),
        compilerOptions: options,
        include: [],
        files,
      }),
    );
    const { status, output } = await run(ROOT, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config]);
    if (status !== 0) throw new Error(`the laws do not compile: ${output}`);
  }

  /** Runs the laws against a copy of the build with a bug in it. */
  async judge(mutant: Mutant): Promise<Verdict> {
    const place = join(this.folder, `build-${this.count++}`);
    mkdirSync(place);
    cpSync(join(ROOT, 'dist'), join(place, 'dist'), { recursive: true });
    cpSync(join(this.laws, 'test'), join(place, 'test'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(place, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'), 'junction');
    if (mutant.file.startsWith(KERNELS)) {
      writeFileSync(join(place, 'dist/parallel/kernels.wasm'), await compileKernels(mutant));
    } else {
      const file = join(place, 'dist', mutant.file);
      writeFileSync(file, mutate(readFileSync(file, 'utf8'), mutant));
    }
    const verdict = await run(place, ['test/mutation/probe.js', mutant.law]);
    rmSync(place, { recursive: true, force: true });
    return verdict;
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** @throws Error where the text is not there, or more than once: the mutant would prove nothing. */
function mutate(content: string, { name, file, text, becomes }: Mutant): string {
  const found = content.split(text).length - 1;
  if (found !== 1) throw new Error(`${name}: got its text ${found} times in ${file}, wanted it once`);
  return content.replace(text, () => becomes);
}

/** The kernels with a bug; not optimised, which takes nine tenths of the time. */
async function compileKernels(mutant: Mutant): Promise<Uint8Array> {
  const mutated = join('src', mutant.file);
  let isMutated = false;
  let wasm: Uint8Array | undefined;
  const { error, stderr } = await asc.main(['--config', 'asconfig.json', '--optimizeLevel', '0'], {
    readFile: (name) => {
      try {
        const content = readFileSync(join(ROOT, name), 'utf8');
        if (join(name) !== mutated) return content;
        // it may be read once for each file that imports it
        isMutated = true;
        return mutate(content, mutant);
      } catch (cause) {
        // the compiler asks for files at every place where one might be
        if (cause instanceof Error && 'code' in cause) return null;
        throw cause;
      }
    },
    writeFile: (_, content) => {
      if (content instanceof Uint8Array) wasm = content;
    },
    listFiles: () => [],
  });
  if (error !== null) throw new Error(`${mutant.name}: ${error.message} ${stderr.toString()}`);
  if (!isMutated || wasm === undefined) throw new Error(`${mutant.name}: ${mutated} was not compiled`);
  return wasm;
}

function run(cwd: string, args: readonly string[]): Promise<Verdict> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, timeout: PATIENCE, killSignal: 'SIGKILL' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += text;
      });
    }
    child.on('close', (status) => resolve({ status, output }));
  });
}
