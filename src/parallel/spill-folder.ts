import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'rangefold-spill';

/** The folders of runs that have not ended: a process that ends before them removes them. */
const LIVE = new Set<SpillFolder>();

function removeAll(): void {
  for (const folder of LIVE) folder.remove();
}

/** The folder of one run's spilled groups, which is made when there are any. Only this user can look into it. */
export class SpillFolder {
  readonly path: string;
  private removing: Promise<void> | undefined;

  constructor(directory: string) {
    begun ??= startOf('self') ?? 0;
    const name = [PREFIX, machine(), process.pid, begun, randomBytes(16).toString('hex')];
    this.path = join(directory, name.join('-'));
    if (LIVE.size === 0) process.on('exit', removeAll);
    LIVE.add(this);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Removes the folder and all that is in it. Called when no task of the run goes on; may be called again. */
  remove(): void {
    if (LIVE.delete(this) && LIVE.size === 0) process.off('exit', removeAll);
    try {
      rmSync(this.path, { recursive: true, force: true });
    } catch {
      // the next start of an engine tries again
    }
  }

  /** The same without keeping the caller: 2 GB take 0.3 s to remove, and who stops a run is not to wait. */
  removeLater(): Promise<void> {
    this.removing ??= rm(this.path, { recursive: true, force: true }).then(
      () => this.remove(),
      () => undefined,
    );
    return this.removing;
  }
}

/**
 * Removes the folders that processes of this machine left behind which were killed. A number that another process has by
 * now is told by when that one began, where the system says it (Linux does; else the folder stays as long as there is a process of that
 * number). What cannot be removed is left alone.
 */
export async function removeLeftFolders(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const left = names.filter((name) => {
    const [pid, start] =
      /^rangefold-spill-([0-9a-f]{16})-(\d+)-(\d+)-[0-9a-f]{32}$/.exec(name)?.slice(2) ?? [];
    return (
      pid !== undefined && name.startsWith(`${PREFIX}-${machine()}-`) && !isAlive(Number(pid), Number(start))
    );
  });
  await Promise.all(
    left.map((name) => rm(join(directory, name), { recursive: true, force: true }).catch(() => undefined)),
  );
}

function isAlive(pid: number, start: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // a process of another user may not be told anything, and is there
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(String(pid));
  return now === undefined || start === 0 || now === start;
}

/** When a process began, in ticks since the machine did; undefined where the system does not tell. */
function startOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // the second field is a name in brackets, in which anything may stand
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return undefined;
  }
}

/** When this process began; read once, since every run has a folder. */
let begun: number | undefined;

let known: string | undefined;

/** Who shares a directory with others may not know their processes: what tells this machine, this start of it and its own numbering of processes from others. */
function machine(): string {
  if (known === undefined) {
    const marks = [hostname(), process.platform];
    try {
      marks.push(
        readlinkSync('/proc/self/ns/pid'),
        readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(),
      );
    } catch {
      // not Linux
    }
    known = createHash('sha256').update(marks.join('\n')).digest('hex').slice(0, 16);
  }
  return known;
}
