import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a module in a process of its own, where nothing is compiled, allocated or freed yet, and gives what it answers.
 * The module's side is `answer`. `argument` and the answer are JSON.
 */
export function inFreshProcess(module, argument) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(module), [JSON.stringify(argument)]);
    let answer;
    child.on('message', (message) => {
      answer = message;
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0 && answer !== undefined) resolve(answer);
      else reject(new Error(`${module}: got exit by ${signal ?? code}, wanted an answer`));
    });
  });
}

/** Answers the process that started this module with what `work(argument)` gives. */
export async function answer(work) {
  const given = await work(JSON.parse(process.argv[2]));
  await new Promise((resolve) => {
    process.send(given, resolve);
  });
  process.disconnect();
}
