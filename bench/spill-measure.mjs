import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Seconds, seconds of CPU and growth of the peak of this process from now on, when what it gives is called. */
export function measure() {
  const begun = performance.now();
  const before = process.cpuUsage();
  const resident = process.memoryUsage.rss();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return {
      seconds: (performance.now() - begun) / 1000,
      cpu: (user + system) / 1e6,
      growth: process.resourceUsage().maxRSS * 1024 - resident,
    };
  };
}

export async function hashOf(path) {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path)) hash.update(bytes);
  return hash.digest('hex');
}
