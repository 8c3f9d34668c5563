import { UsageError } from './usage-error.js';

/** A name, or a function of others: `origin`, `desc(distance)`. */
export interface Expression {
  readonly name: string;
  /** Undefined for a name without parentheses. */
  readonly parameters: readonly Expression[] | undefined;
}

/** Expressions separated by commas. Names that hold any of `,()="` or blanks at their ends stand in double quotes. */
export function parseList(text: string, option: string): Expression[] {
  const reader = new Reader(text, option);
  const list = reader.list();
  reader.end();
  return list;
}

/** An expression with a name before it, as in `late=mean(delay)`, or without. */
export function parseNamed(
  text: string,
  option: string,
): { name: string | undefined; expression: Expression } {
  const reader = new Reader(text, option);
  const first = reader.expression();
  const isNamed = first.parameters === undefined && reader.take('=');
  const expression = isNamed ? reader.expression() : first;
  reader.end();
  return { name: isNamed ? first.name : undefined, expression };
}

class Reader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly option: string,
  ) {}

  list(): Expression[] {
    const list = [this.expression()];
    while (this.take(',')) list.push(this.expression());
    return list;
  }

  expression(): Expression {
    const name = this.name();
    if (!this.take('(')) return { name, parameters: undefined };
    if (this.take(')')) return { name, parameters: [] };
    const parameters = this.list();
    if (!this.take(')')) throw this.fault("')'");
    return { name, parameters };
  }

  take(sign: string): boolean {
    this.skipBlanks();
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  end(): void {
    this.skipBlanks();
    if (this.at < this.text.length) throw this.fault('the end');
  }

  private name(): string {
    this.skipBlanks();
    const form = this.text[this.at] === '"' ? /"((?:[^"]|"")*)"/y : /([^,()="]+)/y;
    form.lastIndex = this.at;
    const match = form.exec(this.text);
    if (match === null) throw this.fault('a name');
    this.at += match[0].length;
    return this.text[this.at - 1] === '"' ? match[1].replaceAll('""', '"') : match[1].trim();
  }

  private skipBlanks(): void {
    while (this.text[this.at] === ' ') this.at += 1;
  }

  private fault(wanted: string): UsageError {
    const rest = this.text.slice(this.at);
    const came = rest === '' ? 'the end' : JSON.stringify(rest);
    return new UsageError(`${this.option} ${JSON.stringify(this.text)}: got ${came}, wanted ${wanted}`);
  }
}
