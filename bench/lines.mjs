/** Rows of cells as lines of text: the first column to the left, the others to the right, each as wide as it must be. */
export function lines(rows) {
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
  return rows.map((row) =>
    row
      .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
      .join('  ')
      .trimEnd(),
  );
}

/** A number to about three digits, as a person reads it. */
export function short(number) {
  if (number >= 100) return Math.round(number).toLocaleString('en');
  return number >= 10 ? number.toFixed(1) : number.toFixed(2);
}

/** `1 worker`, `2 workers`. */
export function counted(number, noun) {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
