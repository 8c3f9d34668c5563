/** The command was called wrongly: exit status 2. */
export class UsageError extends Error {}
