import { CsvFault } from './csv-scan.js';
import type { Bytes } from './origin.js';

const quote = 34;
const lineFeed = 10;

/** Read at a time while looking for cuts. */
const windowBytes = 4 << 20;

/**
 * Cuts a text into pieces of about `size` bytes that end where a record ends, in one pass over the bytes; most of
 * it is native search as long as there are no quotes.
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
  const cuts = [from];
  let target = from + size;
  /** Where the quote that is open was opened; -1 outside quotes. */
  let opened = -1;
  let lastOpened = -1;
  /** The byte before the window. The text begins like a line does. */
  let before = lineFeed;
  /** Where a quote closed last: one right behind it opens again, for the two are one doubled quote. */
  let closed = -2;
  for (let start = from; start < bytes.size; start += windowSize) {
    const window = bytes.read(start, Math.min(start + windowSize, bytes.size));
    let at = opened === -1 ? Math.max(0, Math.min(target - 1 - start, firstQuote(window))) : 0;
    if (at > 0) before = window[at - 1];
    for (; at < window.length; at++) {
      const byte = window[at];
      if (opened !== -1) {
        if (byte === quote) {
          lastOpened = opened;
          opened = -1;
          closed = start + at;
        }
      } else if (byte === quote) {
        if (closed === start + at - 1) opened = lastOpened;
        else if (before === delimiter || before === lineFeed) opened = start + at;
      } else if (byte === lineFeed && start + at >= target - 1) {
        cuts.push(start + at + 1);
        target = start + at + 1 + size;
        // Without quotes ahead the search goes on where the next cut may be.
        const skip = Math.min(target - 1 - start, firstQuote(window, at + 1), window.length) - 1;
        if (skip > at) at = skip;
      }
      before = window[at];
    }
  }
  if (opened !== -1) throw new CsvFault(opened, 'a quote that is not closed', 'a closing quote');
  if (cuts[cuts.length - 1] < bytes.size) cuts.push(bytes.size);
  return cuts;
}

function firstQuote(window: Uint8Array, from = 0): number {
  const at = window.indexOf(quote, from);
  return at === -1 ? window.length : at;
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
