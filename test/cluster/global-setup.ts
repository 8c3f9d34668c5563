import { startNodes } from './nodes.mjs';

/** Starts the servers that all test files share, and tells where they are. */
export async function setup(): Promise<() => Promise<void>> {
  const { urls, stop } = await startNodes(2);
  process.env.RANGEFOLD_CLUSTER = urls.join(' ');
  return stop;
}
