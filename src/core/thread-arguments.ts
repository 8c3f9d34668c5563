/**
 * The `execArgv` of a thread: an option to spread. Node's own arguments are inherited where none are named, and named ones
 * are refused where they are V8's. Only an argument on the form of the main script, which no thread takes, makes it
 * necessary to name some: none.
 */
export function threadArguments(): { execArgv?: string[] } {
  return process.execArgv.some((argument) => argument.startsWith('--input-type')) ? { execArgv: [] } : {};
}
