/** How often a property runs: `usual` times, and RANGEFOLD_RUNS times as often in the long tests. */
export function runs(usual: number): { readonly numRuns: number } {
  return { numRuns: Math.round(usual * Number(process.env.RANGEFOLD_RUNS ?? 1)) };
}
