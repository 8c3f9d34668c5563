import type { Column } from './column.js';
import { joinBytes } from './join-bytes.js';

/** Bytes that a view holds in itself; longer values lie in a buffer. */
const INLINE = 12;
const LARGEST_OFFSET = 0x7fffffff;

/**
 * Values as 16-byte views in new memory: short ones in place, the long ones in one buffer in row order, zeros under a null.
 * @param limit bytes of one buffer; where the values have more (offsets have 31 bits), more buffers follow.
 */
export function packViews(
  values: readonly (Uint8Array | null)[],
  limit = LARGEST_OFFSET,
): Required<Pick<Column, 'values' | 'buffers'>> {
  const views = new Uint8Array(values.length * 16);
  const view = new DataView(views.buffer);
  const parts: Uint8Array[][] = [];
  let room = 0;
  for (const [row, value] of values.entries()) {
    if (value === null) continue;
    const at = row * 16;
    view.setInt32(at, value.length, true);
    if (value.length <= INLINE) {
      views.set(value, at + 4);
      continue;
    }
    if (value.length > room) {
      parts.push([]);
      room = limit;
    }
    views.set(value.subarray(0, 4), at + 4);
    view.setInt32(at + 8, parts.length - 1, true);
    view.setInt32(at + 12, limit - room, true);
    parts[parts.length - 1].push(value);
    room -= value.length;
  }
  return { values: views, buffers: parts.map((long) => joinBytes(long)) };
}
