import { parse, stringify, v7 } from 'uuid';
import { randomIdBytes } from './random.js';

/** Number of low bits in a visit ID that contain its index. A batch can contain up to 8,192 visits. */
const INDEX_BITS = 13;
const INDEX_LIMIT = 1 << INDEX_BITS;

/**
 * Returns a UUIDv7 (RFC 9562) whose low 13 bits are zero. Visit IDs use these bits for the index.
 *
 * @param time Time of receipt, in milliseconds since the epoch.
 */
export function createBatchId(time = Date.now()): string {
  const bytes = v7({ msecs: time, random: randomIdBytes(16) }, new Uint8Array(16));
  bytes[15] = 0;
  bytes[14] = bytes[14]! & 0xe0;
  return stringify(bytes);
}

/**
 * Returns the ID of a visit. IDs don't change on redelivery and sort in order of receipt.
 *
 * @param index Position in the posted array.
 */
export function createVisitId(batchId: string, index: number): string {
  if (index < 0 || index >= INDEX_LIMIT)
    throw new RangeError(`index must be from 0 to ${INDEX_LIMIT - 1} (got ${index})`);
  return batchId.slice(0, 32) + (Number.parseInt(batchId.slice(32), 16) + index).toString(16).padStart(4, '0');
}

/**
 * Returns a UUIDv7 whose random part is a digest, for visits that can be reported again in another batch.
 *
 * @param time Milliseconds since the epoch.
 * @param digest Lower-case hex digest that identifies the visit. Only the first 18 digits are used.
 */
export function createStableVisitId(time: number, digest: string): string {
  const prefix = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0');
  const { length } = prefix;
  const [high, low] = [prefix.slice(length - 12, length - 4), prefix.slice(length - 4)];
  return `${high}-${low}-7${digest.slice(0, 3)}-a${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

/** Returns true if the text is a UUIDv7 whose low 13 bits are zero. */
export function isBatchId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{8}[02468ace]000$/.test(text);
}

const [HYPHEN, ZERO, NINE] = [0x2d, 0x30, 0x39];
/** Bit that is only set in lower-case letters, and the character code of `a` minus 10. */
const [LOWER_CASE, BEFORE_A] = [0x20, 0x57];

/** Extracts the time from a UUIDv7, in milliseconds since the epoch. */
export function getTimeFromId(id: string): number {
  let time = 0;
  for (let index = 0; index < 13; index += 1) {
    const code = id.charCodeAt(index);
    if (code !== HYPHEN) time = time * 16 + (code <= NINE ? code - ZERO : (code | LOWER_CASE) - BEFORE_A);
  }
  return time;
}

/** Returns the smallest UUIDv7 for a time in milliseconds since the epoch. Used as a bound for partitions and queries. */
export function getFirstIdAt(time: number): string {
  const bytes = parse('00000000-0000-7000-8000-000000000000');
  const view = new DataView(bytes.buffer);
  const clamped = Math.max(0, Math.floor(time));
  view.setUint32(0, Math.floor(clamped / 0x10000));
  view.setUint16(4, clamped % 0x10000);
  return stringify(bytes);
}

/** Formats indexes as ranges: [0,1,2,5] → "0-2,5". */
export function formatIndices(indices: readonly number[]): string {
  const ranges: string[] = [];
  for (let start = 0; start < indices.length;) {
    let end = start;
    while (end + 1 < indices.length && indices[end + 1] === indices[end]! + 1) end += 1;
    ranges.push(end === start ? `${indices[start]}` : `${indices[start]}-${indices[end]}`);
    start = end + 1;
  }
  return ranges.join(',');
}

/** Parses the output of {@link formatIndices}. Returns null if the text is malformed or an index is out of range. */
export function parseIndices(text: string): number[] | null {
  const indices: number[] = [];
  for (const range of text.split(',')) {
    const match = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(range);
    if (match === null) return null;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last < first || last >= INDEX_LIMIT || first <= (indices.at(-1) ?? -1)) return null;
    for (let index = first; index <= last; index += 1) indices.push(index);
  }
  return indices;
}
