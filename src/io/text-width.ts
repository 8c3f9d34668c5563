/** Characters that a terminal shows two columns wide: East Asian Wide and Fullwidth, and emoji. Source: Unicode, UAX #11. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Emoji_Presentation}\u3000-\u303e\u30a0-\u30ff\u31f0-\u321e\u3220-\u3247\uff01-\uff60\uffe0-\uffe6]/u;
/** Marks that stand upon the character before them, joiners and variation selectors. */
const none = /[\p{Mn}\p{Me}\p{Cf}]/u;
const plain = /^[\x20-\x7e]*$/;

/** Columns that a text takes on a terminal. */
export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** The text, or as much of its beginning as fits before an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let shown = '';
  let left = width - 1;
  for (const character of text) {
    left -= widthOf(character);
    if (left < 0) break;
    shown += character;
  }
  return `${shown}…`;
}

function widthOf(character: string): number {
  if (none.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
