import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from '../core/describe.js';
import { inputError, queryError } from '../core/errors.js';
import { type Origin, reason } from './origin.js';

/** A path, a file: URL, or the bytes themselves. */
export type Location = string | URL | Uint8Array;

/**
 * Finds an input without reading it. Bytes in memory are put where all threads see them: once copied, unless they
 * lie in a SharedArrayBuffer already.
 * @param place what errors call the argument.
 * @param given what they call the input. Default: its path, or its place.
 * @throws InputError where there is no such file, or nothing in it; QueryError where it is no location.
 */
export async function locate(location: Location, place: string, given?: string): Promise<Origin> {
  if (location instanceof Uint8Array) return inMemory(location, given ?? place);
  const path = pathOf(location, place);
  const name = given ?? (typeof location === 'string' ? location : path);
  let file: Awaited<ReturnType<typeof stat>>;
  try {
    file = await stat(path);
  } catch (error) {
    throw inputError(name, reason(error), 'a file that can be read', error);
  }
  if (file.isDirectory()) throw inputError(name, 'a directory', 'a file');
  if (!file.isFile()) throw inputError(name, 'a pipe or a device', 'a regular file');
  if (file.size === 0) throw inputError(name, 'an empty file', 'a file with something in it');
  const absolute = resolve(path);
  const { size, mtimeMs } = file;
  return { name, path: absolute, size, modified: mtimeMs, id: `${absolute}:${size}:${mtimeMs}` };
}

function pathOf(location: string | URL, place: string): string {
  if (typeof location === 'string') return location;
  if (!(location instanceof URL))
    throw queryError(place, describe(location), 'a path, a file: URL or a Uint8Array');
  if (location.protocol !== 'file:') throw queryError(place, location.href, 'a file: URL');
  return fileURLToPath(location);
}

let inMemoryCount = 0;

function inMemory(given: Uint8Array, name: string): Origin {
  if (given.length === 0) throw inputError(name, 'no bytes', 'an input with something in it');
  let bytes = given;
  if (!(given.buffer instanceof SharedArrayBuffer)) {
    bytes = new Uint8Array(new SharedArrayBuffer(given.length));
    bytes.set(given);
  }
  inMemoryCount += 1;
  return { name, bytes, size: bytes.length, id: `memory:${process.pid}:${inMemoryCount}` };
}
