import { expect, test } from 'vitest';
import { barsOf } from '../../bench/timeline.mjs';

const run = {
  milliseconds: 10,
  phases: [
    { phase: 'fold', start: 1 },
    { phase: 'order', start: 6 },
  ],
  tasks: [
    { task: 'relayout', worker: 0, start: 2, end: 5 },
    { task: 'build', worker: 1, start: 7, end: 9 },
  ],
};

test('the timeline has a bar for each phase, up to the next or the end, and one for each task of a worker', () => {
  expect(barsOf(run)).toEqual([
    { lane: 'phase', label: 'fold', start: 1, end: 6 },
    { lane: 'phase', label: 'order', start: 6, end: 10 },
    { lane: 'worker 0', label: 'fold', start: 2, end: 5 },
    { lane: 'worker 1', label: 'order: build', start: 7, end: 9 },
  ]);
});

test('a task that it has no colour for is told', () => {
  const tasks = [{ task: 'nap', worker: 0, start: 0, end: 1 }];
  expect(() => barsOf({ ...run, tasks })).toThrow('got nap');
});
