/** Waits, but no longer than until the signal is aborted: then rejects with its reason. */
export async function orAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    await Promise.race([wait, aborted]);
    signal.throwIfAborted();
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}
