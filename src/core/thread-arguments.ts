/** Node's own arguments, but for those on the form of a script, which a thread refuses. */
export function threadArguments(): string[] {
  return process.execArgv.filter(
    (argument, i, all) => !argument.startsWith('--input-type') && all[i - 1] !== '--input-type',
  );
}
