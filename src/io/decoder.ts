import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Batch } from '../core/column.js';
import { type ErrorDetails, InputError, inputError } from '../core/errors.js';
import type { Part } from '../core/source.js';
import { threadArguments } from '../core/thread-arguments.js';
import { type OwnedBatch, ownBatch } from './own-batch.js';
import type { Description, PartModule } from './part.js';

/**
 * A thread that decodes, for one caller who asks for one thing at a time. The thread keeps the process alive only
 * while an answer is awaited. Whatever happens on it (damage, a trap, an exit, a hang) is an InputError here.
 */
export interface Decoder {
  /** Runs `describe` of a part module. @param place names the input in errors. */
  describe(module: string, data: unknown, place: string): Promise<Description>;
  /** Runs `read` of a part; the next batch is decoded while the caller looks at this one. Batches own their memory. */
  read(part: Part, columns: readonly string[], place: string): AsyncGenerator<Batch, void>;
  /** Ends the thread, whatever it does. */
  close(): Promise<void>;
}

type Request =
  | { readonly kind: 'describe'; readonly module: string; readonly data: unknown }
  | {
      readonly kind: 'read';
      readonly module: string;
      readonly data: unknown;
      readonly columns: readonly string[];
    }
  | { readonly kind: 'next' };

type Answer =
  | { readonly kind: 'description'; readonly description: Description }
  | ({ readonly kind: 'batch' } & OwnedBatch)
  | { readonly kind: 'end' }
  /** With details where the part module raised an InputError. */
  | { readonly kind: 'error'; readonly message: string; readonly details?: ErrorDetails };

/** A row group of a million rows takes seconds; a decoder that is silent for this long will not answer. */
const hangMilliseconds = 120_000;

/** Tells the threads started here from all others that load this module. */
const mark = 'rangefold decoder';

/** This module, by its own name: bundled into another file it is not that file which a thread must begin with. */
const threadUrl = new URL('./decoder.js', import.meta.url);

/** Starts a decoding thread. @param patience milliseconds without an answer after which it is taken to hang. */
export function createDecoder(patience: number = hangMilliseconds): Decoder {
  const worker = new Worker(threadUrl, { workerData: mark, ...threadArguments() });
  worker.unref();
  let dead: string | undefined;
  worker.on('error', (error) => {
    dead ??= `a decoder that failed (${error.message})`;
  });
  worker.on('exit', (code) => {
    dead ??= `a decoder that exited with code ${code}`;
  });

  function ask(request: Request, place: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (dead !== undefined) return reject(undecoded(place, dead));
      const settle = (act: () => void): void => {
        clearInterval(clock);
        worker.off('message', onMessage).off('exit', onExit);
        if (dead === undefined) worker.unref();
        act();
      };
      const onMessage = (answer: Answer): void =>
        settle(() => (answer.kind === 'error' ? reject(errorOf(answer, place)) : resolve(answer)));
      const onExit = (): void => settle(() => reject(undecoded(place, dead ?? 'a decoder that exited')));
      // In steps: where this thread itself was busy for long, only one step is due, and an answer that has come
      // meanwhile is seen before the next.
      let steps = 0;
      const clock = setInterval(() => {
        steps += 1;
        if (steps < 10) return;
        dead ??= `a decoder that was silent for ${patience / 1000} s`;
        void worker.terminate();
      }, patience / 10);
      worker.on('message', onMessage).on('exit', onExit).ref();
      worker.postMessage(request);
    });
  }

  return {
    async describe(module, data, place) {
      const answer = await ask({ kind: 'describe', module, data }, place);
      if (answer.kind === 'description') return answer.description;
      throw undecoded(place, `a decoder that answered '${answer.kind}'`);
    },
    async *read({ module, data }, columns, place) {
      let pending = ask({ kind: 'read', module, data, columns }, place);
      for (let batches = 1; ; batches++) {
        const answer = await pending;
        if (answer.kind !== 'batch') return;
        pending = ask({ kind: 'next' }, `${place}, after batch ${batches}`);
        // It is looked at when the caller comes for it, if ever.
        pending.catch(() => undefined);
        yield answer.batch;
      }
    },
    async close() {
      dead ??= 'a decoder that was closed';
      // Or the process might end before this promise does.
      worker.ref();
      await worker.terminate();
    },
  };
}

function undecoded(place: string, came: string): InputError {
  return inputError(place, came, 'data that can be decoded');
}

function errorOf({ message, details }: Extract<Answer, { kind: 'error' }>, place: string): InputError {
  return details === undefined
    ? undecoded(place, `a decoder that failed (${message})`)
    : new InputError(message, details);
}

if (workerData === mark && parentPort !== null) serve(parentPort);

/** The thread's side. Requests come one at a time, and each gets one answer. */
function serve(port: MessagePort): void {
  let batches: Iterator<Batch> | AsyncIterator<Batch> | undefined;

  port.on('message', (request: Request) => {
    answer(request).then(
      (reply) => port.postMessage(reply, reply.kind === 'batch' ? [reply.memory] : []),
      (error: unknown) => port.postMessage(errorAnswer(error)),
    );
  });

  async function answer(request: Request): Promise<Answer> {
    if (request.kind === 'next') return nextBatch();
    const module = (await import(request.module)) as PartModule;
    if (request.kind === 'describe') {
      return { kind: 'description', description: await module.describe(request.data as never) };
    }
    const all = module.read(request.data, request.columns);
    batches = Symbol.asyncIterator in all ? all[Symbol.asyncIterator]() : all[Symbol.iterator]();
    return nextBatch();
  }

  async function nextBatch(): Promise<Answer> {
    const next = await batches?.next();
    if (next === undefined || next.done === true) return { kind: 'end' };
    return { kind: 'batch', ...ownBatch(next.value) };
  }
}

function errorAnswer(error: unknown): Answer {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof InputError)) return { kind: 'error', message };
  const { parameter, came, wanted } = error;
  return { kind: 'error', message, details: { parameter, came, wanted } };
}
