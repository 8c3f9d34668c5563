import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inputError } from '../core/errors.js';

/**
 * Where the bytes of one input lie. Plain data that crosses threads: the bytes of an input in memory lie in a
 * SharedArrayBuffer, so that every thread sees the same ones.
 */
export interface Origin {
  /** What errors call the input: the path as it was given, or its place in the list. */
  readonly name: string;
  /** The file; absent where the bytes are in memory. */
  readonly path?: string;
  readonly bytes?: Uint8Array;
  /** In bytes. */
  readonly size: number;
  /** When the file was written last, in milliseconds since 1970. */
  readonly modified?: number;
  /** Tells this origin from others, and from a later state of the same file. */
  readonly id: string;
}

/** Bytes of one origin at hand. Blocking: for decoding threads. */
export interface Bytes {
  readonly size: number;
  /** The bytes from `start` to before `end`; the caller may keep them, and must not write to them. */
  read(start: number, end: number): Uint8Array;
  close(): void;
}

/** Opens an origin for reading. @throws InputError where the file is gone, or is not the one that was opened. */
export function bytesOf(origin: Origin): Bytes {
  const { bytes, path, size } = origin;
  if (bytes !== undefined) {
    return { size, read: (start, end) => bytes.subarray(start, end), close: () => undefined };
  }
  if (path === undefined) throw inputError(origin.name, 'neither a path nor bytes', 'one of them');
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw inputError(origin.name, reason(error), 'a file that can be read', error);
  }
  const now = fstatSync(file);
  if (now.size !== size || now.mtimeMs !== origin.modified) {
    closeSync(file);
    throw inputError(
      origin.name,
      'a file that has changed since it was opened',
      'a file that stays as it is',
    );
  }
  return {
    size,
    read(start, end) {
      const target = new Uint8Array(end - start);
      for (let filled = 0; filled < target.length; ) {
        const got = readSync(file, target, filled, target.length - filled, start + filled);
        if (got === 0) {
          throw inputError(
            origin.name,
            `the end of the file at byte ${start + filled}`,
            `bytes up to ${end}`,
          );
        }
        filled += got;
      }
      return target;
    },
    close: () => closeSync(file),
  };
}

/** Why the system refused, in a few words. */
export function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'no such file';
    case 'EACCES':
    case 'EPERM':
      return 'a file without permission to read';
    case 'EISDIR':
      return 'a directory';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
