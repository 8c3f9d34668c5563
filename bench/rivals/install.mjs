import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Installs the packages of this folder, where nothing but the benchmarks needs them. */
export function install() {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: 'inherit',
    // npm is a script on Windows
    shell: process.platform === 'win32',
  });
}
