import type { Answer, RangeBatch } from '../core/answer.js';
import { MemoryLimitError } from '../core/errors.js';
import { planAnswerBytes } from './plan.js';

/** An answer that is to be collected, which ends with a MemoryLimitError where it is larger than a memory limit allows. */
export function withinLimit(answer: Answer, memoryLimit: number | undefined): Answer {
  if (memoryLimit === undefined) return answer;
  const { batches } = answer;
  const most = planAnswerBytes(memoryLimit);
  let bytes = 0;
  async function* counted(): AsyncGenerator<RangeBatch, void, undefined> {
    for await (const one of batches) {
      bytes += one.batch.data.byteLength;
      if (bytes > most) throw answerError(bytes, most);
      yield one;
    }
  }
  return { ...answer, batches: counted() };
}

function answerError(bytes: number, most: number): MemoryLimitError {
  const came = `an answer of ${bytes} bytes, so far`;
  const wanted = `at most ${most}; stream() hands it out in parts`;
  return new MemoryLimitError(`memoryLimit: got ${came}, wanted ${wanted}`, {
    parameter: 'memoryLimit',
    came,
    wanted,
  });
}
