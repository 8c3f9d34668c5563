#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseOptions } from './options.js';
import { caretLines, UsageError } from './usage-error.js';

/** Signals that end a run in order, so that nothing half-written stays behind, and the exit status of each. */
const endings = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs the command. @returns the exit status: 0, 1 for an error, 2 for wrong usage, 128 + n where signal n ended it. */
async function main(argv: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  for (const [name, status] of Object.entries(endings)) {
    // A second one ends the process at once, as if nobody listened.
    process.once(name, () => interruption.abort(status));
  }
  // What goes wrong on standard output is seen where it is written to; on standard error nobody could tell.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  try {
    const options = parseOptions(argv, version());
    if (options !== undefined) {
      const { run } = await import('./run.js');
      await run(options, interruption.signal);
    }
    return 0;
  } catch (error) {
    if (interruption.signal.aborted) return interruption.signal.reason as number;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`rangefold: ${message.replace(/\s*\n\s*/g, ' ')}\n`);
    if (!(error instanceof UsageError)) return 1;
    if (error.place !== undefined) process.stderr.write(caretLines(error.place));
    return 2;
  }
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

process.exitCode = await main(process.argv.slice(2));
