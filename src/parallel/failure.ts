import {
  AggregateOverflowError,
  EngineClosedError,
  InputError,
  MemoryLimitError,
  QueryError,
  RangefoldError,
  WorkerError,
} from '../core/errors.js';

/** An error as it crosses threads: structured clone keeps neither class nor fields. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly parameter?: string | undefined;
  readonly came?: string | undefined;
  readonly wanted?: string | undefined;
  readonly stack?: string | undefined;
  /** What the system says of an error of its own. */
  readonly system?: Pick<NodeJS.ErrnoException, 'code' | 'errno' | 'syscall' | 'path'>;
}

/** When a task ran, in milliseconds of the monotonic clock that all threads share, and its CPU time where the system tells it. */
export interface TaskTime {
  readonly start: number;
  readonly end: number;
  readonly nanoseconds: number | undefined;
}

/** What a task's thread answers; `time` where that is asked for. */
export type Outcome<T> =
  | { readonly value: T; readonly thread: number; readonly time: TaskTime | undefined }
  | { readonly failure: Failure };

const CLASSES = new Map<string, typeof RangefoldError>(
  [QueryError, AggregateOverflowError, InputError, MemoryLimitError, WorkerError, EngineClosedError].map(
    (one) => [one.name, one],
  ),
);

export function failureOf(error: unknown): Failure {
  if (error instanceof RangefoldError) {
    const { name, message, parameter, came, wanted } = error;
    return { name, message, parameter, came, wanted };
  }
  if (error instanceof Error && 'syscall' in error) {
    const { name, message, code, errno, syscall, path } = error as NodeJS.ErrnoException;
    const system = {
      ...(code !== undefined && { code }),
      ...(errno !== undefined && { errno }),
      ...(syscall !== undefined && { syscall }),
      ...(path !== undefined && { path }),
    };
    return { name, message, stack: error.stack, system };
  }
  if (error instanceof Error) return { name: error.name, message: error.message, stack: error.stack };
  return { name: 'Error', message: String(error) };
}

/** The error again, of its own class, or the system's; what neither raised is a WorkerError. */
export function errorOf(failure: Failure, task: string): Error {
  const { name, message, parameter, came, wanted, stack, system } = failure;
  const known = CLASSES.get(name);
  if (known !== undefined) {
    return new known(message, {
      ...(parameter === undefined ? {} : { parameter }),
      ...(came === undefined ? {} : { came }),
      ...(wanted === undefined ? {} : { wanted }),
    });
  }
  if (system !== undefined) return Object.assign(new Error(message), system);
  const cause = new Error(`${name}: ${message}`);
  if (stack !== undefined) cause.stack = stack;
  return new WorkerError(`task ${task}: got ${name}: ${message}`, { parameter: `task ${task}`, cause });
}
