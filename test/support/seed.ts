import * as fc from 'fast-check';

import { runs } from './runs.js';

// Every property starts from the seed that vitest.config.ts printed; fast-check names it again where one fails. Those that do not say how
// often they run do so a hundred times, and in the long tests a hundred times as often as well.
fc.configureGlobal({ seed: Number(process.env.RANGEFOLD_SEED), ...runs(100) });
