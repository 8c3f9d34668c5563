import { CsvFault } from './csv-scan.js';
import type { Bytes } from './origin.js';

const quote = 34;
const lineFeed = 10;

/** Read at a time while looking for cuts. */
const windowBytes = 4 << 20;

/**
 * Cuts a text into pieces of about `size` bytes that end where a record ends, in one pass from quote to quote.
 * @param windowSize bytes read at a time.
 * @returns where each piece begins, and the end of the text.
 * @throws CsvFault where a quote is not closed.
 */
export function cutCsv(
  bytes: Bytes,
  delimiter: number,
  from: number,
  size: number,
  windowSize: number = windowBytes,
): number[] {
  const { cuts, opened } = cutsOf(bytes, delimiter, from, size, windowSize);
  if (opened !== -1) throw new CsvFault(opened, 'a quote that is not closed', 'a closing quote');
  if (cuts[cuts.length - 1] < bytes.size) cuts.push(bytes.size);
  return cuts;
}

/** Record ends are looked for at this distance; whatever follows the last of them is read again with what comes. */
const endDistance = 4096;

/**
 * Where the last of the whole records at the beginning of a text ends, or nearly so; 0 where none does. What follows may
 * go on in a text that is not there yet.
 * @param from where the first record begins.
 */
export function lastRecordEnd(text: Uint8Array, delimiter: number, from: number): number {
  const bytes: Bytes = {
    size: text.length,
    read: (start, end) => text.subarray(start, end),
    close: () => undefined,
  };
  const { cuts } = cutsOf(bytes, delimiter, from, Math.min(endDistance, text.length >> 1), text.length);
  return cuts.length === 1 ? 0 : cuts[cuts.length - 1];
}

/** The record ends found, and where the quote that is open at the end of the text was opened; -1 where none is. */
function cutsOf(
  bytes: Bytes,
  delimiter: number,
  from: number,
  size: number,
  windowSize: number,
): { cuts: number[]; opened: number } {
  const cuts = [from];
  let target = from + size;
  /** Where the quote that is open was opened; -1 outside quotes. */
  let opened = -1;
  let lastOpened = -1;
  /** Where a quote closed last: one right behind it opens again, for the two are one doubled quote. */
  let closed = -2;
  /** The byte before the window. The text begins like a line does. */
  let before = lineFeed;
  for (let start = from; start < bytes.size; start += windowSize) {
    const window = bytes.read(start, Math.min(start + windowSize, bytes.size));
    for (let at = 0; at < window.length; at++) {
      const next = find(window, quote, at);
      // A record ends at every line feed outside quotes; one of them, past the target, is the cut.
      while (opened === -1) {
        const end = find(window, lineFeed, Math.max(at, target - 1 - start), next);
        if (end >= next) break;
        at = end + 1;
        cuts.push(start + at);
        target = start + at + size;
      }
      if (next === window.length) break;
      if (opened !== -1) {
        lastOpened = opened;
        opened = -1;
        closed = start + next;
      } else if (closed === start + next - 1) {
        opened = lastOpened;
      } else {
        const left = next === 0 ? before : window[next - 1];
        if (left === delimiter || left === lineFeed) opened = start + next;
      }
      at = next;
    }
    before = window[window.length - 1];
  }
  return { cuts, opened };
}

/** Bytes looked at one by one before the native search, whose call costs as much as these. */
const near = 32;

/** Where `byte` is first at or after `from`; `end` where it is not before that. */
function find(window: Uint8Array, byte: number, from: number, end: number = window.length): number {
  const border = Math.min(from + near, end);
  for (let at = from; at < border; at++) if (window[at] === byte) return at;
  if (border >= end) return end;
  const rest = Buffer.from(window.buffer, window.byteOffset + border, end - border);
  const found = rest.indexOf(byte);
  return found === -1 ? end : border + found;
}

/** The line, counted from 1, that the byte at `offset` stands on. */
export function lineAt(bytes: Bytes, offset: number): number {
  let line = 1;
  for (let start = 0; start < offset; start += windowBytes) {
    const window = bytes.read(start, Math.min(start + windowBytes, offset));
    for (let at = window.indexOf(lineFeed); at !== -1; at = window.indexOf(lineFeed, at + 1)) line += 1;
  }
  return line;
}
