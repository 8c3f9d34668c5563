import { EngineClosedError } from './errors.js';

/** One run of an engine. */
export interface Run {
  /** Aborted when the caller's signal is, with its reason, or when the engine is closed, with EngineClosedError. */
  readonly signal: AbortSignal;
  /** Ends the run with an error that came from outside its own course. */
  fail(error: unknown): void;
  /** To be called once when the run has ended, in whatever way. */
  end(): void;
}

/** The runs of an engine that are in flight, so that closing the engine ends them. */
export class Runs {
  #closed = false;
  readonly #running = new Set<AbortController>();

  /**
   * @throws EngineClosedError once the engine is closed; the signal's reason where it is aborted already.
   */
  start(signal: AbortSignal | undefined): Run {
    if (this.#closed) throw closedError();
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    this.#running.add(controller);
    return {
      signal: controller.signal,
      fail: (error) => controller.abort(error),
      end: () => {
        signal?.removeEventListener('abort', abort);
        this.#running.delete(controller);
      },
    };
  }

  close(): void {
    this.#closed = true;
    for (const controller of this.#running) controller.abort(closedError());
    this.#running.clear();
  }
}

function closedError(): EngineClosedError {
  return new EngineClosedError('the engine is closed');
}
