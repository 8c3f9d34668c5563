import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';

/** Makes a run's folder, unless a worker of the same run has made it. */
export function makeFolder(folder: string): void {
  try {
    // its name is random: who else should have made it
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A file that chunks are appended to. @throws the system's errors. */
export class SpillWriter {
  /** Bytes in it. */
  size: number;
  private readonly file: number;

  constructor(path: string) {
    this.file = openSync(path, 'a', 0o600);
    this.size = fstatSync(this.file).size;
  }

  append(bytes: Uint8Array): void {
    // a disk that is nearly full takes a part of what it is given
    for (let done = 0; done < bytes.length; ) {
      const taken = writeSync(this.file, bytes, done, bytes.length - done);
      done += taken;
      this.size += taken;
    }
  }

  close(): void {
    closeSync(this.file);
  }
}

/** A file that chunks are read from. @throws the system's errors. */
class SpillReader {
  private readonly file: number;

  constructor(private readonly path: string) {
    this.file = openSync(path, 'r');
  }

  /** Fills `into` with the bytes from offset `at` on. */
  read(into: Uint8Array, at: number): void {
    for (let done = 0; done < into.length; ) {
      const got = readSync(this.file, into, done, into.length - done, at + done);
      if (got === 0) throw new Error(`${this.path}: got ${at + done} bytes, wanted ${at + into.length}`);
      done += got;
    }
  }

  close(): void {
    closeSync(this.file);
  }
}

/** The files that a task reads, each opened once. */
export class SpillReaders {
  private readonly readers = new Map<string, SpillReader>();

  open(path: string): SpillReader {
    const known = this.readers.get(path) ?? new SpillReader(path);
    this.readers.set(path, known);
    return known;
  }

  close(): void {
    for (const reader of this.readers.values()) reader.close();
  }
}
