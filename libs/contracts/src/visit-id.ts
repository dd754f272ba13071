import { parse, stringify, v7 } from 'uuid';
import { randomIdBytes } from './random.js';

/** Low bits of a visit's id that hold its index within the batch: 13, so up to 8,192 visits a batch. */
const INDEX_BITS = 13;
const INDEX_LIMIT = 1 << INDEX_BITS;

/**
 * A UUIDv7 (RFC 9562) whose low 13 bits are zero; the visits of the batch take the ids above it.
 *
 * @param time milliseconds since the epoch; the time of receipt.
 */
export function newBatchId(time = Date.now()): string {
  const bytes = v7({ msecs: time, random: randomIdBytes(16) }, new Uint8Array(16));
  bytes[15] = 0;
  bytes[14] = bytes[14]! & 0xe0;
  return stringify(bytes);
}

/**
 * Id of the visit at `index` (its position in the array as posted) of a batch: the same on every
 * redelivery, and in the order of receipt.
 */
export function visitId(batchId: string, index: number): string {
  if (index < 0 || index >= INDEX_LIMIT) throw new RangeError(`a batch has ${INDEX_LIMIT} places, not ${index}`);
  return batchId.slice(0, 32) + (Number.parseInt(batchId.slice(32), 16) + index).toString(16).padStart(4, '0');
}

/**
 * Id of a visit that may be posted more than once, in whatever batches: a UUIDv7 whose random part is a digest.
 *
 * @param time milliseconds since the epoch.
 * @param digest lower-case hex that distinguishes it from all others; the first 18 digits are used.
 */
export function stableVisitId(time: number, digest: string): string {
  const prefix = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0');
  const { length } = prefix;
  const [high, low] = [prefix.slice(length - 12, length - 4), prefix.slice(length - 4)];
  return `${high}-${low}-7${digest.slice(0, 3)}-a${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
}

/** Whether the text is a UUIDv7 with room for the visits' indices. */
export function isBatchId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{8}[02468ace]000$/.test(text);
}

const [HYPHEN, ZERO, NINE] = [0x2d, 0x30, 0x39];
/** The bit that tells a lower-case letter from its capital, and what is ten less than an `a`. */
const [LOWER_CASE, BEFORE_A] = [0x20, 0x57];

/** Time in a UUIDv7, in milliseconds since the epoch. */
export function timeOfId(id: string): number {
  let time = 0;
  for (let index = 0; index < 13; index += 1) {
    const code = id.charCodeAt(index);
    if (code !== HYPHEN) time = time * 16 + (code <= NINE ? code - ZERO : (code | LOWER_CASE) - BEFORE_A);
  }
  return time;
}

/** The smallest UUIDv7 of a time: bounds of partitions and of queries by time. */
export function firstIdAt(time: number): string {
  const bytes = parse('00000000-0000-7000-8000-000000000000');
  const view = new DataView(bytes.buffer);
  const clamped = Math.max(0, Math.floor(time));
  view.setUint32(0, Math.floor(clamped / 0x10000));
  view.setUint16(4, clamped % 0x10000);
  return stringify(bytes);
}

/** Writes positions as ascending ranges: [0,1,2,5] → "0-2,5". */
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

/** Reads what {@link formatIndices} wrote; null when the text is not such a list or leaves the batch's bounds. */
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
