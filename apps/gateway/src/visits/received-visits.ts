import { formatFaults, isDeeperThan, visitId, VISIT_LIMITS, type Visit } from '#libs/contracts';
import { deadLetter, encodedItem, type DeadLetter, type ReceivedVisits } from '#libs/bus';
import type { RefusedItem } from './validation.js';

/** Maximum size of a message. Brokers accept 1 MB by default. */
export const MAX_MESSAGE_BYTES = 900_000;
/**
 * Maximum size of a body whose visits fit into one message without being measured. Redaction makes JSON at most 6.5
 * times as long (`0,` becomes `"[redacted]",`), serialization 4.4 times (`1e20,`).
 */
const UNMEASURED_BYTES = MAX_MESSAGE_BYTES / 8;
/** Characters kept of a rejected item that is larger than a visit may be. */
const MAX_EXCERPT_CHARACTERS = 64 * 1024;
/**
 * Maximum total size of a message's lines in bytes. Their JSON is at most six times as large, which leaves space for
 * headers within the topic's limit.
 */
const MAX_SOURCE_BYTES = 256 * 1024;

export type Batch = Pick<ReceivedVisits, 'batchId' | 'projectId'> & { traceparent: string };

interface ValidVisit {
  /** Index in the posted array. */
  index: number;
  visit: Visit;
}

/** Visit with its own ID, because it may be posted again in another batch. */
export interface RepeatableVisit extends ValidVisit {
  id: string;
  /** Size of its line in bytes. */
  bytes: number;
}

/**
 * Splits visits with their own IDs into messages by the size of their lines, which is known without measuring the JSON.
 */
export function repeatableVisits(batch: Batch, visits: readonly RepeatableVisit[]): ReceivedVisits[] {
  const parts: ReceivedVisits[] = [];
  for (let start = 0; start < visits.length;) {
    let bytes = 0;
    let end = start;
    for (; end < visits.length && (end === start || bytes + visits[end]!.bytes <= MAX_SOURCE_BYTES); end += 1) {
      bytes += visits[end]!.bytes;
    }
    const part = visits.slice(start, end);
    parts.push({
      ...batch,
      visits: part.map(({ visit }) => visit),
      indices: part.map(({ index }) => index),
      visitIds: part.map(({ id }) => id),
      isSingle: false,
      bytes,
    });
    start = end;
  }
  return parts;
}

export interface PostedVisits {
  /** Size of the body in bytes. */
  bytes: number;
  /** True if the body was one object instead of an array. */
  isSingle: boolean;
  /** True if `visits` are all items of the body, as posted. */
  isUnchanged: boolean;
  /** IDs of the visits, if they may be posted again in another batch. */
  visitIds: readonly string[] | null;
}

/** Returns the visits of a request, in parts of up to {@link MAX_MESSAGE_BYTES}. */
export function receivedVisits(
  batch: Batch,
  valid: readonly ValidVisit[],
  { bytes, isSingle, isUnchanged, visitIds }: PostedVisits,
): ReceivedVisits[] {
  if (valid.length === 0) return [];
  const parts = bytes <= UNMEASURED_BYTES ? [{ start: 0, end: valid.length, bytes }] : partsOf(valid);
  const isPosted = isUnchanged && parts.length === 1;
  return parts.map(({ start, end, ...size }) => {
    const part = valid.slice(start, end);
    return {
      ...batch,
      ...size,
      visits: part.map(({ visit }) => visit),
      indices: isPosted ? null : part.map(({ index }) => index),
      visitIds: visitIds && visitIds.slice(start, end),
      isSingle: isPosted && isSingle,
    };
  });
}

function partsOf(valid: readonly ValidVisit[]) {
  const first = { start: 0, end: 0, bytes: 0 };
  const parts = [first];
  let part = first;
  for (const { visit } of valid) {
    const bytes = Buffer.byteLength(JSON.stringify(visit)) + 1;
    if (part.end > part.start && part.bytes + bytes > MAX_MESSAGE_BYTES) {
      part = { start: part.end, end: part.end, bytes: 0 };
      parts.push(part);
    }
    part.end += 1;
    part.bytes += bytes;
  }
  return parts;
}

/** Returns the dead letter of an invalid item: its JSON ({@link boundedItem}, redacted) and its faults. */
export const rejectedItem = (batch: Batch, { index, item, faults }: RefusedItem): DeadLetter =>
  deadLetter(encodedItem(batch, index, JSON.stringify(item)), {
    reason: 'invalid_visit',
    detail: formatFaults(faults),
    step: 'gateway:validate',
    projectId: batch.projectId,
    identity: visitId(batch.batchId, index),
  });

/**
 * Limits the size of a rejected item before it's redacted and stored. Values nested too deep are replaced. If the item
 * is larger than a visit may be, returns the beginning of its JSON as text.
 */
export function boundedItem(item: unknown): unknown {
  const flat = flattened(item, VISIT_LIMITS.depth);
  const json = JSON.stringify(flat);
  return json.length <= VISIT_LIMITS.itemBytes ? flat : `${json.slice(0, MAX_EXCERPT_CHARACTERS).toWellFormed()}…`;
}

/** Replaces values nested too deep for `JSON.stringify`, which is recursive. */
function flattened(value: unknown, depth: number): unknown {
  if (!isDeeperThan(value, depth)) return value;
  if (depth === 0) return '[nested too deep]';
  if (Array.isArray(value)) return value.map((item) => flattened(item, depth - 1));
  return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, flattened(item, depth - 1)]));
}
