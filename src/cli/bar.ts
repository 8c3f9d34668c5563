const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar from one share of a line to another, both from 0 to 1, in a line of so many characters. */
export function bar(from: number, to: number, characters: number): string {
  const start = Math.round(from * characters);
  const length = Math.min((characters - start) * 8, Math.round((to - from) * characters * 8));
  const drawn = '█'.repeat(Math.floor(length / 8)) + eighths[length % 8];
  return (' '.repeat(start) + drawn).padEnd(characters);
}
