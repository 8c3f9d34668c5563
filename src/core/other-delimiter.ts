/** What may part the names of a text that was read as one column, because it has another delimiter; undefined where nothing does. */
export function otherDelimiter(names: readonly string[]): string | undefined {
  return names.length === 1 ? /[;|\t]/.exec(names[0])?.[0] : undefined;
}
