import { type Aggregator, createParallel, createReference } from 'rangefold';

export interface Engine {
  readonly name: string;
  create(): Aggregator;
}

/** Every engine, in every setting, that must give the answers of test/conformance. */
export const ENGINES: readonly Engine[] = [
  { name: 'reference', create: () => createReference() },
  { name: 'parallel, 1 worker', create: () => createParallel({ workers: 1 }) },
  { name: 'parallel, 2 workers', create: () => createParallel({ workers: 2 }) },
  { name: 'parallel, 3 workers', create: () => createParallel({ workers: 3 }) },
  { name: 'parallel, 8 workers', create: () => createParallel({ workers: 8 }) },
];
