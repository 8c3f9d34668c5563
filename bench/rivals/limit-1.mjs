import { open as openLimit } from './limit.mjs';

/** The limit of one thread. */
export function open() {
  return openLimit(1);
}
