import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('limit.c', import.meta.url));

/** Where the program lies once it is compiled. */
export const LIMIT = fileURLToPath(new URL('limit', import.meta.url));

/** Compiles the program; false where there is no C compiler. */
export function compileLimit() {
  try {
    execFileSync('cc', ['-O3', '-march=native', '-pthread', '-Wall', '-o', LIMIT, SOURCE], {
      stdio: 'inherit',
    });
    return true;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}
