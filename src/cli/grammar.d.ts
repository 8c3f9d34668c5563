/** The parser that the build makes of grammar.peggy. `at` is where a node begins, in UTF-16 units of the text. */

/** A name that stands bare, and so may be a number as well. */
export interface Word {
  readonly kind: 'word';
  readonly name: string;
  readonly at: number;
}

/** A name in double quotes, or a column of a condition. */
export interface Name {
  readonly kind: 'name';
  readonly name: string;
  readonly at: number;
}

export interface Text {
  readonly kind: 'text';
  readonly text: string;
  readonly at: number;
}

export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly parameters: readonly Item[];
  readonly at: number;
}

/** Keys in parentheses. */
export interface KeySet {
  readonly kind: 'set';
  readonly parameters: readonly Item[];
  readonly at: number;
}

/** `name=value`. */
export interface Named {
  readonly kind: 'option';
  readonly name: string;
  readonly value: Call | Text | Name | Word;
  readonly at: number;
}

export type Item = Word | Name | Text | Call | KeySet | Named;

export interface ParsedAggregate {
  /** Null where it has none of its own. */
  readonly name: string | null;
  readonly value: Call | Name | Word;
  readonly where: ParsedCondition | null;
}

export type ParsedCondition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly ParsedCondition[] }
  | { readonly kind: 'not'; readonly condition: ParsedCondition }
  | {
      readonly kind: 'compare';
      readonly operator: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';
      readonly column: Name;
      readonly value: Value;
    }
  | { readonly kind: 'null'; readonly not: boolean; readonly column: Name }
  | { readonly kind: 'in'; readonly not: boolean; readonly column: Name; readonly values: readonly Value[] }
  | {
      readonly kind: 'between';
      readonly not: boolean;
      readonly column: Name;
      readonly low: Value;
      readonly high: Value;
    };

export type Value =
  | Text
  | { readonly kind: 'number' | 'bytes'; readonly text: string; readonly at: number }
  | { readonly kind: 'true' | 'false' | 'null'; readonly at: number };

interface Rules {
  Keys: Item[];
  Aggregate: ParsedAggregate;
  Whole: ParsedCondition;
}

export declare function parse<R extends keyof Rules>(
  text: string,
  options: { readonly startRule: R },
): Rules[R];

/** What `parse` throws where a text is not of the grammar. */
export interface GrammarError extends Error {
  readonly expected: readonly {
    readonly type: 'literal' | 'class' | 'any' | 'end' | 'other';
    readonly text?: string;
    readonly description?: string;
  }[];
  readonly location: { readonly start: { readonly offset: number } };
}
