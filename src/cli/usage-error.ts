/** Where in what was given something is wrong. */
export interface Place {
  readonly text: string;
  /** In UTF-16 units. */
  readonly at: number;
}

/** The command was called wrongly: exit status 2. */
export class UsageError extends Error {
  readonly place: Place | undefined;

  constructor(message: string, place?: Place) {
    super(message);
    this.place = place;
  }
}

/** The text that was given, and a caret below the place. */
export function caretLines({ text, at }: Place): string {
  // Whatever has no width of its own, or breaks a line, would move the caret.
  const shown = (part: string): string => part.replace(/\p{Cc}/gu, ' ');
  return `  ${shown(text)}\n  ${' '.repeat([...text.slice(0, at)].length)}^\n`;
}
