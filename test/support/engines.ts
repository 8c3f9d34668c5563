import { type Aggregator, createReference } from 'rangefold';

export interface Engine {
  readonly name: string;
  create(): Aggregator;
}

/** Every engine, in every setting, that must give the answers of test/conformance. */
export const ENGINES: readonly Engine[] = [{ name: 'reference', create: () => createReference() }];
