import * as fc from 'fast-check';

// Every property starts from the seed that vitest.config.ts printed; fast-check names it again where one fails.
fc.configureGlobal({ seed: Number(process.env.RANGEFOLD_SEED) });
