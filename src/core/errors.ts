/** What every error of rangefold can say beside its message. */
export interface ErrorDetails {
  /** The parameter, column, option or file that is wrong. */
  readonly parameter?: string;
  /** What came. */
  readonly came?: string;
  /** What was wanted. */
  readonly wanted?: string;
  readonly cause?: unknown;
}

/** The parent of all errors that rangefold raises on its own account. */
export class RangefoldError extends Error {
  readonly parameter: string | undefined;
  readonly came: string | undefined;
  readonly wanted: string | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.parameter = details.parameter;
    this.came = details.came;
    this.wanted = details.wanted;
  }
}

/** The query does not fit the input, or is not a query. Raised before any row is read. */
export class QueryError extends RangefoldError {}

/** A final value does not fit its type. */
export class AggregateOverflowError extends RangefoldError {}

/** The input is damaged, or of a form that rangefold does not read. */
export class InputError extends RangefoldError {}

/** The run cannot be done within the memory it was given. */
export class MemoryLimitError extends RangefoldError {}

/** A worker thread died or failed in a way that is no fault of the query or the input. */
export class WorkerError extends RangefoldError {}

/** The engine was closed before or during the run. */
export class EngineClosedError extends RangefoldError {}

/** `QueryError` in the one form all of them have: the parameter, what came, what was wanted. */
export function queryError(parameter: string, came: string, wanted: string): QueryError {
  return new QueryError(`${parameter}: got ${came}, wanted ${wanted}`, { parameter, came, wanted });
}

/** `InputError` for a place in an input: a file, a batch, a column. */
export function inputError(place: string, came: string, wanted: string, cause?: unknown): InputError {
  return new InputError(`${place}: got ${came}, wanted ${wanted}`, { parameter: place, came, wanted, cause });
}
