import { availableParallelism, loadavg } from 'node:os';

/** How many threads want each core, at least 1: what takes so many milliseconds alone takes as many times longer here. */
export function crowding(): number {
  return Math.max(1, loadavg()[0] / availableParallelism());
}
