// The blocks of code of a page, and a reader who does what the page says.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The blocks of a page, in order. A line like "Save it as `name`:" means the block below it; a block of
 * `text` is what the one before it prints.
 * @param {string} page
 * @returns {{ language: string, code: string, line: number, file?: string, output?: string }[]}
 */
export function blocksOf(page) {
  const found = [];
  for (const match of page.matchAll(/(?:^|\n)([^\n]*)\n+```(\w*)\n([\s\S]*?)```/g)) {
    const [, before, language, code] = match;
    const line = page.slice(0, match.index + match[0].indexOf('```')).split('\n').length;
    const last = found.at(-1);
    if (language === 'text' && last !== undefined && last.output === undefined) {
      last.output = code;
      continue;
    }
    const file = /\bSave .*`([\w.-]+)`[^`]*:$/.exec(before)?.[1];
    found.push({ language, code, line, ...(file !== undefined && { file }) });
  }
  return found;
}

/** Names of the packages that a program imports, those of node left out. */
export function packagesOf(code) {
  return [...code.matchAll(/from '([^'.][^']*)'/g)]
    .map(([, name]) => name)
    .filter((name) => !name.startsWith('node:'));
}

/**
 * A folder to work in, with a command `npx` that knows rangefold.
 * @param {string} folder
 * @param {string} main the file of the command
 */
export function workplace(folder, main) {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const npx = `#!/bin/sh\n[ "$1" = rangefold ] || exit 9\nshift\nexec "${process.execPath}" "${main}" "$@"\n`;
  writeFileSync(join(folder, 'bin/npx'), npx, { mode: 0o755 });
  return folder;
}

/**
 * Does what a block says, in the folder. @returns what it prints.
 * @param {{ language: string, code: string, file?: string }} block
 * @param {string} folder
 */
export function follow({ language, code, file }, folder) {
  const options = {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  if (file !== undefined) {
    writeFileSync(join(folder, file), code);
    return '';
  }
  if (language === 'sh') return execFileSync('bash', ['-euo', 'pipefail', '-c', code], options);
  if (language !== 'js' && language !== 'ts') throw new Error(`a block of ${language}: nobody can follow it`);
  const program = join(folder, 'program.mjs');
  writeFileSync(program, code);
  return execFileSync(process.execPath, [program], options);
}
