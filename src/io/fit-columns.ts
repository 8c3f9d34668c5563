/** A column that is shown: which, and how wide; without `column`, the mark that some are left out. */
export interface FittedColumn {
  readonly column?: number;
  readonly width: number;
}

/** Between two columns. */
const gap = 2;
/** No text is cut to less than this many characters. */
const narrowest = 8;

/**
 * Fits columns of these widths to a line: the widest texts are cut first, and where all are as narrow as may be, columns
 * in the middle are left out. The first and the last column always stay.
 * @param isWhole columns that may not be cut.
 */
export function fitColumns(
  widths: readonly number[],
  isWhole: readonly boolean[],
  line: number,
): FittedColumn[] {
  const least = widths.map((width, i) => (isWhole[i] ? width : Math.min(width, narrowest)));
  const shown = chosen(least, line);
  const room = line - gap * (shown.length - 1);
  const fit = shown.map((column) =>
    column === undefined ? { width: 1 } : { column, width: widths[column] },
  );
  for (let over = total(fit) - room; over > 0; ) {
    const widest = Math.max(...fit.map(({ column, width }) => (isCuttable(column, width) ? width : 0)));
    if (widest === 0) break;
    for (const one of fit) {
      if (over <= 0 || one.width < widest || !isCuttable(one.column, one.width)) continue;
      one.width -= 1;
      over -= 1;
    }
  }
  return fit;

  function isCuttable(column: number | undefined, width: number): boolean {
    return column !== undefined && width > least[column];
  }
}

function total(fit: readonly FittedColumn[]): number {
  return fit.reduce((sum, { width }) => sum + width, 0);
}

/** The columns that fit at their least widths, taken from both ends in turns, with undefined where others are left out. */
function chosen(least: readonly number[], line: number): (number | undefined)[] {
  const all = least.map((_, i) => i);
  const needed = least.reduce((sum, width) => sum + width, 0) + gap * (least.length - 1);
  if (needed <= line || least.length <= 2) return all;
  const first = [0];
  const last = [least.length - 1];
  let left = line - least[0] - least[least.length - 1] - (1 + 2 * gap);
  for (let i = 1; first.length + last.length < least.length - 1; i++) {
    const next = i % 2 === 1 ? first.length : least.length - 1 - last.length;
    left -= least[next] + gap;
    if (left < 0) break;
    if (i % 2 === 1) first.push(next);
    else last.unshift(next);
  }
  return [...first, undefined, ...last];
}
