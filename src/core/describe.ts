/** A few words for what was given in the place of something else: `"a"`, `12`, `an array`, `undefined`. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'function':
      return 'a function';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'an array' : 'an object';
    case 'bigint':
      return `${value}n`;
    default:
      return String(value);
  }
}
