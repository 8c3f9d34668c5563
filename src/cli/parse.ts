import {
  type GrammarError,
  type Item,
  type ParsedAggregate,
  type ParsedCondition,
  parse,
} from './grammar.js';
import { UsageError } from './usage-error.js';

/** What was given for an option, read by the grammar, with a way to point into it. */
export interface Parsed<T> {
  readonly tree: T;
  /** An error at a node. */
  fault(at: number, message: string): UsageError;
}

/** Keys separated by commas. @throws UsageError */
export function parseKeys(text: string, option: string): Parsed<readonly Item[]> {
  return read(text, option, () => parse(text, { startRule: 'Keys' }));
}

/** An aggregate with a name before it, as in `late=mean(delay)`, or without, and a condition. @throws UsageError */
export function parseAggregate(text: string, option: string): Parsed<ParsedAggregate> {
  return read(text, option, () => parse(text, { startRule: 'Aggregate' }));
}

/** A condition. @throws UsageError */
export function parseCondition(text: string, option: string): Parsed<ParsedCondition> {
  return read(text, option, () => parse(text, { startRule: 'Whole' }));
}

function read<T>(text: string, option: string, parseTree: () => T): Parsed<T> {
  const fault = (at: number, message: string): UsageError =>
    new UsageError(`${option}: ${message}`, { text, at });
  try {
    return { tree: parseTree(), fault };
  } catch (error) {
    if (!isGrammarError(error)) throw error;
    const at = error.location.start.offset;
    const rest = text.slice(at);
    const came = rest === '' ? 'the end' : JSON.stringify(rest);
    const hint = HINTS.find(({ of, form }) => of.includes(option) && form.test(rest));
    throw fault(at, `got ${came}, wanted ${hint?.wanted ?? wantedBy(error)}`);
  }
}

const CONDITIONS = ['--where', '--having', '--agg'];

/** What is written otherwise in SQL, and how here. */
const HINTS: readonly { readonly of: readonly string[]; readonly form: RegExp; readonly wanted: string }[] = [
  { of: ['--agg'], form: /^as\s/i, wanted: 'the name before it, as in late=mean(delay)' },
  { of: ['--agg'], form: /^,/, wanted: '--agg once more for another aggregate' },
  {
    of: CONDITIONS,
    form: /^(i?like|similar|~)/i,
    wanted: 'a comparison, is, in or between; texts are compared as a whole',
  },
  { of: CONDITIONS, form: /^'[^']*$/, wanted: "a ' at the end of the text, too" },
  { of: ['--having'], form: /^\(/, wanted: 'a comparison of an output column, as sum_delay of sum(delay)' },
  { of: ['--where'], form: /^\(/, wanted: 'a comparison of a column; there are no functions' },
];

function isGrammarError(error: unknown): error is GrammarError {
  return error instanceof Error && 'expected' in error && 'location' in error;
}

function wantedBy({ expected }: GrammarError): string {
  const words = expected.map(({ type, text, description }) =>
    type === 'literal' ? `'${text}'` : type === 'end' ? 'the end' : (description ?? ''),
  );
  const distinct = [...new Set(words.filter((word) => word !== ''))];
  const last = distinct.pop();
  return distinct.length === 0 ? `${last}` : `${distinct.join(', ')} or ${last}`;
}
